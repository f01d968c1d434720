/** The age at which a page that lists what is on sale is out of date, and loads again when it is shown. */
export const STALE_MS = 90_000;
