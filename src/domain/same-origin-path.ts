const BASE_ORIGIN = "http://base.invalid";

/**
 * Returns a redirect target if it is a path of this site, with its query and fragment. Otherwise
 * returns `/`.
 */
export function toSameOriginPath(target: string | null | undefined): string {
  if (!target?.startsWith("/")) return "/";
  const url = parseUrl(target);
  if (!url) return "/";
  const { origin, pathname, search, hash } = url;
  // '/.//example' starts with two slashes after normalisation, so it would lead to another host.
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
