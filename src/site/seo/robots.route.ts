import { env } from "#platform/env.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";

/** What belongs to one person, or answers data instead of a page. */
const NOT_FOR_ROBOTS = [
  "/.netlify/",
  "/admin",
  "/analyst",
  "/api/",
  "/auth-callback",
  "/buy-coins",
  "/demo/",
  "/events/",
  "/forgot-password",
  "/logout",
  "/my-cards",
  "/not-my-account",
  "/profile",
  "/reset-password",
  "/success",
  "/tipster-dashboard",
  "/unlock/",
  "/webhooks/",
];

/** Tells search engines where to keep out, and where the list of pages is. */
export async function robots(c: HttpContext): Promise<Response> {
  c.header("Cache-Control", "public, max-age=3600");
  return c.text(
    [
      "User-agent: *",
      ...NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}`),
      "",
      `Sitemap: ${env().appUrl}/sitemap.xml`,
      "",
    ].join("\n"),
  );
}
