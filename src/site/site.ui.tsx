// The door of the site: the frame round every page, and what stands in the place of one that failed.
export { ErrorPage, errorTitle } from "./frame/error-page.ui.tsx";
export { Frame } from "./frame/frame.ui.tsx";
