// Public interface of the site for the root route: the frame and the error page.
export { ErrorPage, errorTitle } from "./frame/error-page.ui.tsx";
export { Frame } from "./frame/frame.ui.tsx";
