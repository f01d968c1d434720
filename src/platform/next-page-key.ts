/** The key in the session storage of the page that a navigation was loading. */
export const NEXT_PAGE_KEY = "furlong-next-page";
