/** The key in the session storage of the page that a navigation was loading. */
export const NEXT_PAGE_KEY = "furlong-next-page";

/** The key in the local storage of when a page of a signed-in user was last loaded in this browser, in milliseconds. */
export const SIGNED_IN_AT_KEY = "furlong-signed-in-at";
