import { beforeAll, describe, expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { makeTipster, publishRaceCard } from "#test/factories.ts";

// Tests that the information pages are complete and have no broken links.

const LEGAL_HEADINGS = {
  "/terms-of-service": "Terms of service",
  "/terms": "Tipster Terms & Conditions",
  "/privacy": "Privacy policy",
  "/cookies": "Cookie policy",
  "/responsible-gambling": "Responsible gambling",
  "/disclaimer": "Disclaimer",
};
const HEADINGS = {
  "/contact": "Contact us",
  "/help": "Help centre",
  "/how-it-works": "How Furlong works",
  "/rules": "How tips are settled",
  "/proof": "Check our record",
  "/records": "Download records",
  "/racing-tracks": "Racing tracks",
  "/tracks/kenilworth": "Kenilworth Cape Town",
  "/top-analysts": "Top analysts",
  "/leaderboard": "Leaderboard by win rate",
  ...LEGAL_HEADINGS,
};

beforeAll(async () => {
  await startLog();
  await publishRaceCard();
  const analyst = await makeTipster({ kind: "analyst" });
  await publishRaceCard({ creatorId: analyst.id, venue: "turffontein" });
  await drainQueue(jobs());
  await appendToLog();
}, 60_000);

/** Requests a page and follows its redirects. */
async function open(path: string, redirects = 0): Promise<Response> {
  const response = await sendAsGuest(path);
  const location = response.headers.get("Location");
  if (!location || redirects > 5) return response;
  const url = new URL(location, `http://localhost:3000${path}`);
  return await open(`${url.pathname}${url.search}`, redirects + 1);
}

async function readHtml(path: string): Promise<string> {
  const response = await sendAsGuest(path);
  expect(response.status, path).toBe(200);
  return await response.text();
}

/** Returns the first element that begins with the given tag, with its content. */
function findElement(html: string, tag: RegExp): string {
  const start = html.search(tag);
  expect(start, `${tag}`).toBeGreaterThanOrEqual(0);
  const name = /^<(\w+)/.exec(html.slice(start))?.[1];
  return html.slice(start, html.indexOf(`</${name}>`, start));
}

function toText(html: string): string {
  const text = html.replace(/<!--.*?-->/g, "").replace(/<[^>]+>/g, " ");
  return text.replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();
}

/** Returns the internal links of a part of a page, without anchors. */
function listLinks(html: string): string[] {
  const hrefs = [...html.matchAll(/<a\b[^>]*\bhref="(\/[^"#]*)/g)];
  return hrefs.map(([, href = ""]) => href.replaceAll("&amp;", "&"));
}

describe("an information page", () => {
  it.each(Object.entries(HEADINGS))(
    "%s has a heading, a title and a description",
    async (path, heading) => {
      const html = await readHtml(path);
      const findMatch = (pattern: RegExp) => pattern.exec(html)?.[1] ?? "";
      expect(findMatch(/<title>(.*?)<\/title>/)).toMatch(/^.{5,60} \| Furlong$/);
      const headings = html.match(/<h1\b/g);
      expect(headings).toHaveLength(1);
      expect(toText(findElement(html, /<h1\b/))).toBe(heading);
      expect(findMatch(/<meta name="description" content="([^"]*)"/).length).toBeGreaterThan(50);
      const canonical = findMatch(/<link rel="canonical" href="([^"]*)"/);
      expect(new URL(canonical).pathname).toBe(path);
      const { "@graph": graph } = JSON.parse(
        findMatch(/<script type="application\/ld\+json">(.*?)<\/script>/),
      );
      expect(graph[0]["@type"]).toBe("BreadcrumbList");
      expect(graph[0].itemListElement.at(-1).item).toBe(canonical);
    },
  );

  it("has no broken link, nor has the footer", async () => {
    const links = new Set<string>();
    for (const path of Object.keys(HEADINGS)) {
      const html = await readHtml(path);
      for (const part of [findElement(html, /<main\b/), findElement(html, /<footer\b/)])
        for (const link of listLinks(part)) links.add(link);
    }
    expect(links.size).toBeGreaterThan(30);
    for (const link of links) expect((await open(link)).status, link).toBe(200);
  });
});

describe("a legal page", () => {
  it.each(Object.keys(LEGAL_HEADINGS))(
    "%s links to the others, marks itself as the current one and has a date",
    async (path) => {
      const html = await readHtml(path);
      const sidebar = findElement(html, /<nav\b[^>]*aria-label="Legal pages"/);
      expect(listLinks(sidebar).sort()).toEqual(Object.keys(LEGAL_HEADINGS).sort());
      const [current = "", ...others] = sidebar.match(/<a\b[^>]*aria-current="page"[^>]*>/g) ?? [];
      expect(current).toContain(`href="${path}"`);
      expect(others).toEqual([]);
      expect(toText(findElement(findElement(html, /<main\b/), /<time\b/))).toMatch(/\d{4}/);
    },
  );

  it.each(Object.keys(LEGAL_HEADINGS))("%s has the anchor of each section", async (path) => {
    const html = await readHtml(path);
    const contents = findElement(html, /<nav\b[^>]*aria-label="On this page"/);
    const anchors = [...contents.matchAll(/\bhref="[^"#]*#([^"]+)"/g)].map(([, id = ""]) => id);
    expect(anchors.length).toBeGreaterThan(3);
    for (const anchor of anchors) expect(html.split(` id="${anchor}"`), anchor).toHaveLength(2);
  });
});

describe("the tipster terms", () => {
  it("say when earnings leave a payout and which sales are reviewed first", async () => {
    const text = toText(findElement(await readHtml("/terms"), /<main\b/));
    expect(text).not.toContain("Earnings that are part of a payout");
    expect(text).toContain("leaves a payout that we have not sent to the bank");
    expect(text).toContain("earned from welcome coins");
  });
});

describe("the machine-readable files", () => {
  it("include a sitemap of existing pages", async () => {
    const response = await sendAsGuest("/sitemap.xml");
    expect(response.headers.get("Content-Type")).toContain("application/xml");
    const paths = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url]) => new URL(url ?? "").pathname,
    );
    expect(paths).toEqual(expect.arrayContaining(Object.keys(HEADINGS)));
    expect(paths.some((path) => path.startsWith("/tipsters/"))).toBe(true);
    for (const path of paths) expect((await open(path)).status, path).toBe(200);
  });

  it("include robots.txt with the sitemap and disallowed paths", async () => {
    const text = await (await sendAsGuest("/robots.txt")).text();
    expect(text).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
    expect(text).toContain("Disallow: /admin");
    for (const path of Object.keys(HEADINGS)) expect(text).not.toContain(`Disallow: ${path}\n`);
  });
});
