// The door of the pages that only compose: what runs by itself, and what their answers tell a browser.
export { cachedPageParams } from "./cached-pages.ts";
export { deleteExpiredData } from "./delete-expired-data.server.ts";
export { setOfflineOwner } from "./offline/offline-owner.server.ts";
