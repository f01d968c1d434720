const OURS = "http://own.invalid";

/**
 * A path of this site, with its query, to lead on or back to; anything else, another site above all,
 * leads home.
 */
export function sameSitePath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/")) return "/";
  const url = parseUrl(wanted);
  if (!url) return "/";
  const { origin, pathname, search, hash } = url;
  // '/.//elsewhere' is a path of ours until its dots are taken out: then it begins with two slashes.
  return origin === OURS && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** Runs in browsers without `URL.canParse` too. */
function parseUrl(path: string): URL | null {
  try {
    return new URL(path, OURS);
  } catch {
    return null;
  }
}
