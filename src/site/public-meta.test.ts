import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { findCreator, suspendCreator } from "#tipping/tipping.server.ts";
import { asGuest } from "../../test/app.ts";
import { makeAdmin, makeTipster, publishRaceCard } from "../../test/cast.ts";

const APP_URL = "http://localhost:3000";

async function headOf(path: string) {
  const answer = await asGuest(path);
  expect(answer.status, path).toBe(200);
  const html = await answer.text();
  const find = (pattern: RegExp) => pattern.exec(html)?.[1];
  return {
    canonical: find(/<link rel="canonical" href="([^"]*)"/),
    picture: find(/<meta property="og:image" content="([^"]*)"/),
    description: find(/<meta name="description" content="([^"]*)"/),
    data: JSON.parse(find(/<script type="application\/ld\+json">(.*?)<\/script>/) ?? "null"),
  };
}

describe("a page that everybody may find", () => {
  it("says which address is its own, and with which picture it is shared", async () => {
    const { raceCardId, creatorId } = await publishRaceCard();
    const creator = await findCreator(creatorId);
    const own = `/share/tipsters/${creator?.slug}.png`;
    const pages = [
      { path: "/?venue=kenilworth", canonical: "/", picture: "/share.png" },
      { path: `/race-cards/${raceCardId}`, picture: own },
      { path: `/tipsters/${creator?.slug}`, picture: own },
      { path: "/tracks/kenilworth", picture: "/share/tracks/kenilworth.png" },
      { path: "/leaderboard?period=all", canonical: "/leaderboard", picture: "/share.png" },
    ];
    for (const { path, canonical = path, picture } of pages) {
      const head = await headOf(path);
      expect(head.canonical, path).toBe(APP_URL + canonical);
      expect(head.picture, path).toBe(APP_URL + picture);
      expect(head.description?.length, path).toBeGreaterThan(50);
      expect(head.data["@graph"][0]["@type"], path).toBe("BreadcrumbList");
    }
  });
});

describe("the picture that a link is shared with", () => {
  async function pictureAt(path: string) {
    const answer = await asGuest(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/png");
    return Buffer.from(await answer.arrayBuffer());
  }

  it("is drawn for a tipster and for a track, in the size that previews take", async () => {
    const { slug } = await makeTipster();
    for (const path of [`/share/tipsters/${slug}.png`, "/share/tracks/turffontein.png"]) {
      const { width, height, format } = await sharp(await pictureAt(path)).metadata();
      expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: "png" });
    }
  });

  it("shows each tipster's own name and record", async () => {
    const [one, other] = [await makeTipster(), await makeTipster()];
    const pictures = await Promise.all(
      [one, other].map(({ slug }) => pictureAt(`/share/tipsters/${slug}.png`)),
    );
    expect(pictures[0]?.equals(pictures[1] as Buffer)).toBe(false);
  });

  it("takes whatever people call themselves", async () => {
    const names = [`</text><script>"&' ${Date.now()}`, `Ünïcôde 🏇 ${Date.now()}`, "W".repeat(60)];
    for (const name of names) {
      const { slug } = await makeTipster({ name });
      await pictureAt(`/share/tipsters/${slug}.png`);
    }
  });

  it("is not there for nobody, nor for who was suspended", async () => {
    const tipster = await makeTipster();
    await suspendCreator((await makeAdmin()).id, tipster.id);
    for (const path of ["tipsters/nobody", `tipsters/${tipster.slug}`, "tracks/ascot"])
      expect((await asGuest(`/share/${path}.png`)).status, path).toBe(404);
  });
});
