import headingFont from "./fonts/archivo-narrow.woff2?url";
import textFont from "./fonts/hanken-grotesk.woff2?url";

/** URLs of the two font files, for `<link rel="preload" as="font" crossorigin>`. */
export const fontUrls: readonly string[] = [textFont, headingFont];
