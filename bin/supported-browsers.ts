/**
 * The oldest browsers in which the application's scripts run, as listed in README.md. Older
 * browsers get the pages without JavaScript. Samsung Internet 20 and WebView 106 are Chromium 106.
 */
export const OLDEST_BROWSERS = {
  chrome: "106",
  chrome_android: "106",
  webview_android: "106",
  samsunginternet_android: "20.0",
  safari: "16.4",
  safari_ios: "16.4",
  firefox: "114",
  firefox_android: "114",
} as const;

/** The same browsers in the format of Vite's `build.target`, for scripts and styles. */
export const BUILD_TARGET = ["chrome106", "safari16.4", "ios16.4", "firefox114"];
