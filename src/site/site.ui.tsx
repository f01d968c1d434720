// The door of the site: the frame round every page, and what stands in the place of one that failed.
export { ErrorPage, errorTitle } from "./error-page.ui.tsx";
export { Frame } from "./frame.ui.tsx";
