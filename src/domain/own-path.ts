const OURS = "http://own.invalid";

/**
 * A path of this site, with its query, to lead on or back to; anything else, another site above all,
 * leads home.
 */
export function ownPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/") || !URL.canParse(wanted, OURS)) return "/";
  const { origin, pathname, search, hash } = new URL(wanted, OURS);
  // '/.//elsewhere' is a path of ours until its dots are taken out: then it begins with two slashes.
  return origin === OURS && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
