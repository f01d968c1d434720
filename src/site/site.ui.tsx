// Public interface of the site for the root route: the layout and the error page.
export { ErrorPage, errorTitle } from "./layout/error-page.ui.tsx";
export { rememberNextPage } from "./layout/interrupted-navigation.ts";
export { SiteLayout } from "./layout/site-layout.ui.tsx";
