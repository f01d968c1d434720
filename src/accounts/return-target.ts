import { toSameOriginPath } from "#domain/same-origin-path.ts";

/** Pages that must not follow a login: they lead back to it or log out. */
const EXCLUDED_PATHS =
  /^\/(login|logout|auth-callback|reset-password|forgot-password|resend-confirmation|check-your-email)\b/;

/**
 * Returns the page to open after signing in: 'buy-coins' or a path of this site. Anything else
 * becomes '/', which prevents open redirects.
 */
export function resolveReturnTarget(requested: string | null): string {
  if (requested === "buy-coins") return "/?buy-coins";
  const path = toSameOriginPath(requested);
  return EXCLUDED_PATHS.test(path) ? "/" : path;
}
