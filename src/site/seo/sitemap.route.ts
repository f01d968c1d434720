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
  "/how-it-works",
  "/help",
  "/contact",
  "/tipster-auth",
  ...LEGAL_PAGES.map((page) => page.path),
];
/** A sitemap holds 50,000 addresses at most; long before that the oldest would need a second. */
const MAX_CREATORS = 10_000;

/** Every page that is for everybody: the fixed ones, the tracks, and who tips. */
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
  const entries = paths.map((path) => `<url><loc>${escaped(env().appUrl + path)}</loc></url>`);
  c.header("Cache-Control", "public, max-age=3600");
  c.header("Content-Type", "application/xml; charset=utf-8");
  return c.body(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`,
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
