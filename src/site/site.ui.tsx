// Public interface of the site for the root route: the layout and the error page.
export { ErrorPage, errorTitle } from "./frame/error-page.ui.tsx";
export { SiteLayout } from "./frame/frame.ui.tsx";
