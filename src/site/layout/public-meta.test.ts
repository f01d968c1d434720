import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findCreator } from "#creators/creators.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { sendAsGuest } from "#test/app.ts";
import { enterResults, makeTipster, publishRaceCard } from "#test/factories.ts";

const APP_URL = "http://localhost:3000";

async function readMetadata(path: string) {
  const response = await sendAsGuest(path);
  expect(response.status, path).toBe(200);
  const html = await response.text();
  const findMatch = (pattern: RegExp) => pattern.exec(html)?.[1];
  return {
    canonical: findMatch(/<link rel="canonical" href="([^"]*)"/),
    picture: findMatch(/<meta property="og:image" content="([^"]*)"/),
    description: findMatch(/<meta name="description" content="([^"]*)"/),
    data: JSON.parse(findMatch(/<script type="application\/ld\+json">(.*?)<\/script>/) ?? "null"),
  };
}

/** Publishes a tip of a tipster and marks it as won. */
async function createWin(creatorId: string): Promise<void> {
  freezeClock(instantAt("2026-11-21", "08:00"));
  const { raceCardId } = await publishRaceCard({ creatorId, raceDate: "2026-11-21", races: [1] });
  freezeClock(instantAt("2026-11-21", "19:00"));
  const { rows } = await pool().query("select id from tips where race_card_id = $1", [raceCardId]);
  await enterResults([{ tipId: rows[0].id, result: "won" }]);
  freezeClock(null);
}

describe("a public page", () => {
  it("has a canonical URL, a preview image, a description and structured data", async () => {
    const { raceCardId, creatorId } = await publishRaceCard();
    const creator = await findCreator(creatorId);
    const shareImage = `/share/tipsters/${creator?.slug}.png`;
    const pages = [
      { path: "/?venue=kenilworth", canonical: "/", picture: "/share.png" },
      { path: `/race-cards/${raceCardId}`, picture: shareImage },
      { path: `/tipsters/${creator?.slug}`, picture: shareImage },
      { path: "/tracks/kenilworth", picture: "/share/tracks/kenilworth.png" },
      { path: "/leaderboard?period=all", canonical: "/leaderboard", picture: "/share.png" },
    ];
    for (const { path, canonical = path, picture } of pages) {
      const metadata = await readMetadata(path);
      expect(metadata.canonical, path).toBe(APP_URL + canonical);
      expect(metadata.picture, path).toBe(APP_URL + picture);
      expect(metadata.description?.length, path).toBeGreaterThan(50);
      expect(metadata.data["@graph"][0]["@type"], path).toBe("BreadcrumbList");
    }
  });
});

describe("the preview image", () => {
  async function fetchImage(path: string) {
    const response = await sendAsGuest(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    return Buffer.from(await response.arrayBuffer());
  }

  it("is rendered for tipsters and tracks in the standard size", async () => {
    const { slug } = await makeTipster();
    for (const path of [`/share/tipsters/${slug}.png`, "/share/tracks/turffontein.png"]) {
      const { width, height, format } = await sharp(await fetchImage(path)).metadata();
      expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: "png" });
    }
  });

  it("shows the name and the record of the tipster", async () => {
    // Names of equal width, so that only the letters differ.
    const digits = String(Date.now()).slice(-8);
    const tipster = await makeTipster({ name: `Thabo ${digits}` });
    const otherTipster = await makeTipster({ name: `Sipho ${digits}` });
    const cropShareImage = async ({ slug }: { slug: string }, section: "title" | "line") => {
      const { top, height } =
        section === "title" ? { top: 175, height: 95 } : { top: 282, height: 50 };
      return await sharp(await fetchImage(`/share/tipsters/${slug}.png`))
        .extract({ left: 60, top, width: 640, height })
        .raw()
        .toBuffer();
    };
    const [title, recordLine] = [
      await cropShareImage(tipster, "title"),
      await cropShareImage(tipster, "line"),
    ];
    expect(title.equals(await cropShareImage(otherTipster, "title"))).toBe(false);
    expect(recordLine.equals(await cropShareImage(otherTipster, "line"))).toBe(true);
    await createWin(tipster.id);
    expect(recordLine.equals(await cropShareImage(tipster, "line"))).toBe(false);
    expect(title.equals(await cropShareImage(tipster, "title"))).toBe(true);
  });

  it("accepts any characters in a name", async () => {
    const names = [`</text><script>"&' ${Date.now()}`, `Ünïcôde 🏇 ${Date.now()}`, "W".repeat(60)];
    for (const name of names) {
      const { slug } = await makeTipster({ name });
      await fetchImage(`/share/tipsters/${slug}.png`);
    }
  });

  it("returns 404 for unknown creators and tracks", async () => {
    for (const path of ["tipsters/nobody", "tracks/ascot"])
      expect((await sendAsGuest(`/share/${path}.png`)).status, path).toBe(404);
  });
});
