import { randomUUID } from "node:crypto";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { env } from "#platform/env.server.ts";
import { type Ask, as, asGuest } from "#test/app.ts";
import { decompressionBomb } from "#test/decompression-bomb.ts";
import { makeAdmin, makeTipster, makeUser } from "#test/factories.ts";
import { findCreator } from "../creator.server.ts";
import { suspendCreator } from "../suspend-creator.server.ts";
import { deleteOldImages, removeCreatorImage } from "./creator-image.server.ts";

const ADDRESS = "/.netlify/functions/update-tipster-profile-image";
const MB = 1024 * 1024;

const send = (ask: Ask, body: unknown) =>
  ask(ADDRESS, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const dataUrl = (bytes: Uint8Array, type = "image/png") =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

function picture({ width = 400, height = 300, background = "#0f4d35" } = {}) {
  return sharp({ create: { width, height, channels: 3, background } });
}

async function photo(ask: Ask): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await send(ask, { imageData: dataUrl(await picture().png().toBuffer()) });
  return { status: answer.status, body: await answer.json() };
}

async function imageOf(creatorId: string): Promise<string | null> {
  return (await findCreator(creatorId))?.profileImage ?? null;
}

describe("a tipster's photo", () => {
  it.each(["jpeg", "png", "webp"] as const)(
    "is taken as %s and shown as squares",
    async (format) => {
      const tipster = await makeTipster();
      const bytes = await picture()[format]().toBuffer();
      const answer = await send(await as(tipster), {
        tipsterId: tipster.id,
        imageData: dataUrl(bytes, `image/${format}`),
      });
      expect(answer.status).toBe(200);
      const { success, profile_image: address } = await answer.json();
      expect(success).toBe(true);
      expect(address).toMatch(/^\/uploads\/[0-9a-f]{32}\/320\.webp$/);
      expect(await imageOf(tipster.id)).toBe(address);
      for (const size of [320, 96]) {
        const shown = await asGuest(address.replace("320", String(size)));
        expect(shown.status).toBe(200);
        const {
          width,
          height,
          format: type,
        } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
        expect([width, height, type]).toEqual([size, size, "webp"]);
      }
    },
  );

  it("is served as a picture and nothing else", async () => {
    const tipster = await makeTipster();
    const { body } = await photo(await as(tipster));
    const shown = await asGuest(String(body.profile_image));
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  it("keeps nothing of where and with what it was taken", async () => {
    const tipster = await makeTipster();
    const bytes = await picture()
      .withExif({ IFD0: { Make: "Snitch" }, IFD3: { GPSLatitude: "33/1 55/1 0/1" } })
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const answer = await send(await as(tipster), { imageData: dataUrl(bytes, "image/jpeg") });
    const { profile_image: address } = await answer.json();
    const kept = Buffer.from(await (await asGuest(address)).arrayBuffer());
    const { exif, xmp, icc, iptc } = await sharp(kept).metadata();
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(kept.includes("Snitch")).toBe(false);
  });

  it("is drawn anew, so that what else was in the file is gone", async () => {
    const tipster = await makeTipster();
    const polyglot = Buffer.concat([
      await picture().png().toBuffer(),
      Buffer.from("<script>alert(document.domain)</script><?php system($_GET[0]); ?>"),
    ]);
    const answer = await send(await as(tipster), { imageData: dataUrl(polyglot) });
    expect(answer.status).toBe(200);
    const { profile_image: address } = await answer.json();
    const kept = Buffer.from(await (await asGuest(address)).arrayBuffer());
    expect(kept.includes("<script")).toBe(false);
    expect(kept.includes("<?php")).toBe(false);
  });

  it("takes the place of the one before, which goes a day later", async () => {
    const tipster = await makeTipster();
    const ask = await as(tipster);
    const first = String((await photo(ask)).body.profile_image);
    const second = String((await photo(ask)).body.profile_image);
    expect(await imageOf(tipster.id)).toBe(second);
    const folder = join(env().dataDir, "uploads");
    // By the clock of the test: what the file system says may be of another one.
    const age = (hours: number) => {
      const at = new Date(Date.now() - hours * 60 * 60 * 1000);
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), at, at);
    };
    age(23);
    await deleteOldImages.run({}, { isLast: false });
    expect((await asGuest(first)).status).toBe(200);
    age(25);
    await deleteOldImages.run({}, { isLast: false });
    expect((await asGuest(first)).status).toBe(404);
    expect((await asGuest(second)).status).toBe(200);
  });

  it("sent twice at the same moment leaves one, which is shown", async () => {
    const tipster = await makeTipster();
    const ask = await as(tipster);
    const answers = await Promise.all([photo(ask), photo(ask), photo(ask)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const address = await imageOf(tipster.id);
    expect(answers.map((answer) => answer.body.profile_image)).toContain(address);
    expect((await asGuest(address ?? "")).status).toBe(200);
  });
});

describe("removing the photo", () => {
  const remove = (ask: Ask) =>
    ask("/tipster-dashboard/photo/remove", { method: "POST", body: new URLSearchParams() });

  it("leaves the silks, and the file goes a day later", async () => {
    const tipster = await makeTipster();
    const ask = await as(tipster);
    const address = String((await photo(ask)).body.profile_image);
    expect(await (await ask("/tipster-dashboard")).text()).toContain("Remove photo");
    const answer = await remove(ask);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Profile photo removed");
    expect(await imageOf(tipster.id)).toBeNull();
    expect(await (await ask("/tipster-dashboard")).text()).not.toContain("Remove photo");
    const folder = join(env().dataDir, "uploads");
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), longAgo, longAgo);
    await deleteOldImages.run({}, { isLast: false });
    expect((await asGuest(address)).status).toBe(404);
  });

  it("is open to somebody who is suspended, for it is their face", async () => {
    const tipster = await makeTipster();
    await photo(await as(tipster));
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect((await remove(await as(tipster))).status).toBe(200);
    expect(await imageOf(tipster.id)).toBeNull();
  });

  it("is for the creator alone: a guest, a user and another tipster change nothing", async () => {
    const tipster = await makeTipster();
    const address = (await photo(await as(tipster))).body.profile_image;
    for (const ask of [asGuest, await as(await makeUser()), await as(await makeTipster())])
      await remove(ask);
    expect(await imageOf(tipster.id)).toBe(address);
    const refused = { ok: false, refusal: "not-a-creator" };
    expect(await removeCreatorImage((await makeUser()).id)).toEqual(refused);
  });

  it("twice, and at the same moment, is once", async () => {
    const tipster = await makeTipster();
    const ask = await as(tipster);
    await photo(ask);
    const answers = await Promise.all([remove(ask), remove(ask), remove(ask)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await remove(ask)).status).toBe(200);
    expect(await imageOf(tipster.id)).toBeNull();
  });
});

describe("what is no photo", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const gif = Buffer.from("R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=", "base64");
  const tiff = () => picture().tiff().toBuffer();

  it.each<[string, () => Promise<string> | string]>([
    ["a web page", () => dataUrl(Buffer.from("<html><script>1</script>"), "text/html")],
    ["a web page called PNG", () => dataUrl(Buffer.from("<html><script>1</script>"))],
    ["a drawing with a script", () => dataUrl(Buffer.from(svg), "image/svg+xml")],
    ["a drawing with a script called PNG", () => dataUrl(Buffer.from(svg))],
    ["a GIF", () => dataUrl(gif, "image/gif")],
    ["a GIF called PNG", () => dataUrl(gif)],
    ["a TIFF called JPEG", async () => dataUrl(await tiff(), "image/jpeg")],
    [
      "a PNG that breaks off",
      async () => dataUrl((await picture().png().toBuffer()).subarray(0, 60)),
    ],
    [
      "a PNG's first bytes before something else",
      () => dataUrl(Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("MZ...")])),
    ],
    ["an address to fetch", () => "http://127.0.0.1:1/photo.png"],
    ["a file here", () => "file:///etc/passwd"],
    ["nothing", () => ""],
  ])("%s is refused with 415 and changes nothing", async (_what, imageData) => {
    const tipster = await makeTipster();
    const answer = await send(await as(tipster), { imageData: await imageData() });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toEqual({
      error: "Please choose a photo in JPEG, PNG or WebP format.",
    });
    expect(await imageOf(tipster.id)).toBeNull();
  });

  it.each([["nonsense"], [{}], [{ imageData: 7 }], [[]], ["null"]])(
    "%j is refused with 400",
    async (body) => {
      expect((await send(await as(await makeTipster()), body)).status).toBe(400);
    },
  );

  it("a photo above 5 MB is refused with 413", async () => {
    const tipster = await makeTipster();
    const noise = Buffer.alloc(5 * MB + 1, 7);
    const answer = await send(await as(tipster), { imageData: dataUrl(noise) });
    expect(answer.status).toBe(413);
    const body = await answer.json();
    expect(body.error).toBe("That photo is larger than 5 MB. Please choose a smaller one.");
  });

  it("a request above 8 MB is refused before it is read", async () => {
    const tipster = await makeTipster();
    const answer = await send(await as(tipster), { imageData: "A".repeat(9 * MB) });
    expect(answer.status).toBe(413);
  });

  it("a few kilobytes that unfold to 900 megapixels are refused at once and cost no memory", async () => {
    const tipster = await makeTipster();
    const bomb = decompressionBomb(30_000, 30_000);
    expect(bomb.length).toBeLessThan(200_000);
    const ask = await as(tipster);
    const before = process.memoryUsage().rss;
    const began = performance.now();
    const answer = await send(ask, { imageData: dataUrl(bomb) });
    expect(performance.now() - began).toBeLessThan(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
    expect(answer.status).toBe(413);
    expect((await answer.json()).error).toContain("16 megapixels");
  });
});

describe("another's photo", () => {
  it("cannot be changed by naming its tipster", async () => {
    const mine = await makeTipster();
    const theirs = await makeTipster();
    const answer = await send(await as(mine), {
      tipsterId: theirs.id,
      imageData: dataUrl(await picture().png().toBuffer()),
    });
    expect(answer.status).toBe(200);
    expect(await imageOf(theirs.id)).toBeNull();
    expect(await imageOf(mine.id)).not.toBeNull();
  });

  it("is not for guests, for users, or for somebody who was suspended", async () => {
    const tipster = await makeTipster();
    const ask = await as(tipster);
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect((await photo(asGuest)).status).toBe(401);
    expect((await photo(await as(await makeUser()))).status).toBe(403);
    expect((await photo(await as(tipster))).status).toBe(403);
    // The session that was open when the operator suspended them is over.
    expect((await photo(ask)).status).toBe(401);
    expect(await imageOf(tipster.id)).toBeNull();
  });

  it("is an analyst's to change as well", async () => {
    const analyst = await makeTipster({ kind: "analyst" });
    expect((await photo(await as(analyst))).status).toBe(200);
  });

  it.each([
    "/uploads/",
    "/uploads/..%2f..%2fauth-secret/320.webp",
    `/uploads/${"0".repeat(32)}/..%2F..%2F..%2Fauth-secret`,
    `/uploads/${"0".repeat(32)}/320.webp%00.html`,
    `/uploads/${randomUUID()}/320.webp`,
    `/uploads/${"0".repeat(32)}/320.webp`,
  ])("nor anything else lies at %s", async (path) => {
    expect((await asGuest(path)).status).toBe(404);
  });
});
