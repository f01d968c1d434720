// Public interface of the site: its nightly job, cached pages and response headers.
export { cachedPageParams } from "./cached-pages.ts";
export { deleteExpiredData } from "./delete-expired-data.server.ts";
export { setOfflineOwner } from "./offline/offline-owner.server.ts";
