import { env } from "#platform/env.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";

/** Private pages and paths that return data. */
const DISALLOWED_PATHS = [
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
  "/my-day",
  "/not-my-account",
  "/profile",
  "/proof/checkpoints/",
  "/proof/days/",
  "/proof/files/",
  "/proof/log/",
  "/records/",
  "/reset-password",
  "/search",
  "/success",
  "/tipster-dashboard",
  "/unlock/",
  "/webhooks/",
];

/** GET /robots.txt */
export async function robots(c: HttpContext): Promise<Response> {
  c.header("Cache-Control", "public, max-age=3600");
  return c.text(
    [
      "User-agent: *",
      ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`),
      "",
      `Sitemap: ${env().appUrl}/sitemap.xml`,
      "",
    ].join("\n"),
  );
}
