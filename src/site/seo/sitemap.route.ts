import { listCreators } from "#creators/creators.server.ts";
import { env } from "#platform/env.server.ts";
import type { HttpContext } from "#platform/http/http.server.ts";
import { listVenues } from "#racing/racing.server.ts";
import { LEGAL_PAGES } from "../legal/legal-pages.ts";

const PAGES = [
  "/",
  "/racing-tracks",
  "/top-analysts",
  "/leaderboard",
  "/results",
  "/how-it-works",
  "/rules",
  "/proof",
  "/records",
  "/help",
  "/contact",
  "/tipster-auth",
  ...LEGAL_PAGES.map((page) => page.path),
];
/** The sitemap protocol allows 50,000 URLs per file. */
const MAX_CREATORS = 10_000;

/** GET /sitemap.xml: all public pages. */
export async function sitemap(c: HttpContext): Promise<Response> {
  const [venues, { creators }] = await Promise.all([
    listVenues(),
    listCreators({ limit: MAX_CREATORS }),
  ]);
  const paths = [
    ...PAGES,
    ...venues.map((venue) => `/tracks/${venue.slug}`),
    ...creators.map((creator) => `/tipsters/${creator.slug}`),
  ];
  const entries = paths.map((path) => `<url><loc>${escapeXml(env().appUrl + path)}</loc></url>`);
  c.header("Cache-Control", "public, max-age=3600");
  c.header("Content-Type", "application/xml; charset=utf-8");
  return c.body(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`,
  );
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
