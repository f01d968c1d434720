/** Whose copies may lie in this browser: a mark of the session, or `none` for a guest. */
export const OWNER_HEADER = "Offline-Owner";
/** Of a page that holds nothing but what its viewer has paid for. */
export const KEEP_HEADER = "Offline-Copy";

export const NO_OWNER = "none";

/** The headers of a page that may be read again without a connection. */
export const readableOffline: Record<string, string> = { [KEEP_HEADER]: "keep" };

export const OFFLINE_PAGE = "/offline";
