import headingFont from "./fonts/archivo-narrow.woff2?url";
import textFont from "./fonts/hanken-grotesk.woff2?url";

/** Addresses of the two font files, for `<link rel="preload" as="font" crossorigin>` in the shell. */
export const fontAddresses: readonly string[] = [textFont, headingFont];
