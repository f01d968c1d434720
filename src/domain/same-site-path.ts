const BASE_ORIGIN = "http://own.invalid";

/**
 * Returns a redirect target on this site, with its query and fragment. Anything else, such as
 * another site, becomes the home page.
 */
export function sameSitePath(target: string | null | undefined): string {
  if (!target?.startsWith("/")) return "/";
  const url = parseUrl(target);
  if (!url) return "/";
  const { origin, pathname, search, hash } = url;
  // '/.//elsewhere' starts with two slashes after normalisation, so it would lead to another host.
  return origin === BASE_ORIGIN && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** Also works in browsers without `URL.canParse`. */
function parseUrl(path: string): URL | null {
  try {
    return new URL(path, BASE_ORIGIN);
  } catch {
    return null;
  }
}
