const OURS = "http://furlong.invalid";
/** Going back there would only lead here again, or out. */
const NEVER =
  /^\/(login|logout|auth-callback|reset-password|forgot-password|resend-confirmation)\b/;

/**
 * Where someone goes on to after signing in: 'buy-coins', or an address of ours that they came from.
 * Everything else leads home, so that no link can send them off to another site.
 */
export function returnTarget(wanted: string | null): string {
  if (wanted === "buy-coins") return "/?buy-coins";
  if (!wanted?.startsWith("/") || !URL.canParse(wanted, OURS)) return "/";
  const url = new URL(wanted, OURS);
  if (url.origin !== OURS || NEVER.test(url.pathname)) return "/";
  return url.pathname + url.search + url.hash;
}
