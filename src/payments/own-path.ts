/** A path of this site to lead back to; anything else (another origin above all) leads home. */
export function ownPath(wish: string | null | undefined): string {
  const base = "http://own.invalid";
  if (!wish?.startsWith("/") || !URL.canParse(wish, base)) return "/";
  const { origin, pathname, search } = new URL(wish, base);
  return origin === base ? pathname + search : "/";
}
