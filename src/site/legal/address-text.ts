/** Returns a URL without its protocol and trailing slash. */
export function formatUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
