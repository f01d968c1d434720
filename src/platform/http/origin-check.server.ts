import type { HttpContext } from "./http.server.ts";

/**
 * Returns whether a writing request may come from where it says: a browser names its origin with every
 * such request, and it has to be ours. A client that is no browser names none, and has no cookie to abuse.
 */
export function isFromOurOrigin(c: HttpContext, appUrl: string): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return false;
  const origin = c.req.header("origin");
  if (origin === undefined) return true;
  if (origin === new URL(appUrl).origin) return true;
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  // By another of our names; where we are reached by https, what plain http serves may be forged.
  // Behind a trusted proxy the request's host is APP_URL's, so that no other name is accepted there.
  return host === new URL(c.req.url).host && (protocol === "https:" || appUrl.startsWith("http:"));
}
