// The door of the pages that only compose: what runs by itself, and what their answers tell a browser.
export { cachedPageParams } from "./cached-pages.ts";
export { forgetWhatIsOld } from "./forget-what-is-old.server.ts";
export { nameOfflineOwner } from "./offline/offline-owner.server.ts";
