import { sameSitePath } from "#domain/same-site-path.ts";

/** Going back there would only lead here again, or out. */
const NEVER =
  /^\/(login|logout|auth-callback|reset-password|forgot-password|resend-confirmation|check-your-email)\b/;

/**
 * Where someone goes on to after signing in: 'buy-coins', or an address of ours that they came from.
 * Everything else leads home, so that no link can send them off to another site.
 */
export function returnTarget(wanted: string | null): string {
  if (wanted === "buy-coins") return "/?buy-coins";
  const path = sameSitePath(wanted);
  return NEVER.test(path) ? "/" : path;
}
