import type { HttpContext } from "./http.server.ts";

/**
 * Returns true when a state-changing request comes from the application's own origin. Browsers send the Origin
 * header with every such request. Other clients send none and have no cookies to abuse.
 */
export function isSameOrigin(c: HttpContext, appUrl: string): boolean {
  const fetchSite = c.req.header("sec-fetch-site");
  if (fetchSite && fetchSite !== "same-origin" && fetchSite !== "none") return false;
  const origin = c.req.header("origin");
  if (origin === undefined) return true;
  if (origin === new URL(appUrl).origin) return true;
  // A browser sends this origin for its own site if a setting or a proxy withholds referrers. Scripts
  // cannot set Sec-Fetch-Site.
  if (origin === "null") return fetchSite === "same-origin";
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  // Accepts other host names of this server. If APP_URL is https, a plain http origin could be
  // forged. Behind a trusted proxy the request's host is APP_URL's, so no other host name is
  // accepted there.
  return host === new URL(c.req.url).host && (protocol === "https:" || appUrl.startsWith("http:"));
}
