import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { env } from "#platform/env.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { createDecompressionBomb } from "#test/decompression-bomb.ts";
import { makeAdmin, makeTipster, makeUser } from "#test/factories.ts";
import { findCreator } from "../creator.server.ts";
import { suspendCreator } from "../suspension.server.ts";
import { deleteOldImages, removeCreatorPhoto } from "./creator-photo.server.ts";

const PATH = "/.netlify/functions/update-tipster-profile-image";
const MB = 1024 * 1024;

const uploadJson = (send: SendRequest, body: unknown) =>
  send(PATH, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const dataUrl = (bytes: Uint8Array, type = "image/png") =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

function picture({ width = 400, height = 300, background = "#0f4d35" } = {}) {
  return sharp({ create: { width, height, channels: 3, background } });
}

async function photo(
  send: SendRequest,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await uploadJson(send, { imageData: dataUrl(await picture().png().toBuffer()) });
  return { status: response.status, body: await response.json() };
}

async function readImage(creatorId: string): Promise<string | null> {
  return (await findCreator(creatorId))?.photo ?? null;
}

describe("a tipster's photo", () => {
  it.each(["jpeg", "png", "webp"] as const)(
    "is accepted as %s and served as squares",
    async (format) => {
      const tipster = await makeTipster();
      const bytes = await picture()[format]().toBuffer();
      const response = await uploadJson(await createSender(tipster), {
        tipsterId: tipster.id,
        imageData: dataUrl(bytes, `image/${format}`),
      });
      expect(response.status).toBe(200);
      const { success, profile_image: address } = await response.json();
      expect(success).toBe(true);
      expect(address).toMatch(/^\/uploads\/[0-9a-f]{32}\/320\.webp$/);
      expect(await readImage(tipster.id)).toBe(address);
      for (const size of [320, 96]) {
        const response = await sendAsGuest(address.replace("/320.webp", `/${size}.webp`));
        expect(response.status).toBe(200);
        const {
          width,
          height,
          format: type,
        } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        expect([width, height, type]).toEqual([size, size, "webp"]);
      }
    },
  );

  it("is served with headers that allow only an image", async () => {
    const tipster = await makeTipster();
    const { body } = await photo(await createSender(tipster));
    const response = await sendAsGuest(String(body.profile_image));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  it("is stored without metadata", async () => {
    const tipster = await makeTipster();
    const bytes = await picture()
      .withExif({ IFD0: { Make: "Snitch" }, IFD3: { GPSLatitude: "33/1 55/1 0/1" } })
      .jpeg()
      .toBuffer();
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    const response = await uploadJson(await createSender(tipster), {
      imageData: dataUrl(bytes, "image/jpeg"),
    });
    const { profile_image: address } = await response.json();
    const storedImage = Buffer.from(await (await sendAsGuest(address)).arrayBuffer());
    const { exif, xmp, icc, iptc } = await sharp(storedImage).metadata();
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(storedImage.includes("Snitch")).toBe(false);
  });

  it("is re-encoded, which removes appended content", async () => {
    const tipster = await makeTipster();
    const polyglot = Buffer.concat([
      await picture().png().toBuffer(),
      Buffer.from("<script>alert(document.domain)</script><?php system($_GET[0]); ?>"),
    ]);
    const response = await uploadJson(await createSender(tipster), {
      imageData: dataUrl(polyglot),
    });
    expect(response.status).toBe(200);
    const { profile_image: address } = await response.json();
    const storedImage = Buffer.from(await (await sendAsGuest(address)).arrayBuffer());
    expect(storedImage.includes("<script")).toBe(false);
    expect(storedImage.includes("<?php")).toBe(false);
  });

  it("replaces the previous photo, which is deleted a day later", async () => {
    const tipster = await makeTipster();
    const send = await createSender(tipster);
    const firstUrl = String((await photo(send)).body.profile_image);
    const secondUrl = String((await photo(send)).body.profile_image);
    expect(await readImage(tipster.id)).toBe(secondUrl);
    const folder = join(env().dataDir, "uploads");
    // Uses the test's clock, which may differ from the file system's.
    const age = (hours: number) => {
      const at = new Date(Date.now() - hours * 60 * 60 * 1000);
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), at, at);
    };
    age(23);
    await deleteOldImages.run({}, { isLast: false });
    expect((await sendAsGuest(firstUrl)).status).toBe(200);
    age(25);
    await deleteOldImages.run({}, { isLast: false });
    expect((await sendAsGuest(firstUrl)).status).toBe(404);
    expect((await sendAsGuest(secondUrl)).status).toBe(200);
  });

  it("is deleted although another upload cannot be", async () => {
    const folder = join(env().dataDir, "uploads");
    const send = await createSender(await makeTipster());
    const replacedUrl = String((await photo(send)).body.profile_image);
    await photo(send);
    // The folder of an upload that links to itself cannot be read.
    const broken = join(folder, "0".repeat(32));
    symlinkSync(broken, broken);
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of readdirSync(folder))
      if (name !== "0".repeat(32)) utimesSync(join(folder, name), longAgo, longAgo);
    await expect(deleteOldImages.run({}, { isLast: false })).rejects.toThrow(
      `1 failed: upload ${"0".repeat(32)}`,
    );
    rmSync(broken);
    expect((await sendAsGuest(replacedUrl)).status).toBe(404);
  });

  it("leaves one photo when several uploads arrive together", async () => {
    const tipster = await makeTipster();
    const send = await createSender(tipster);
    const responses = await Promise.all([photo(send), photo(send), photo(send)]);
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    const address = await readImage(tipster.id);
    expect(responses.map((response) => response.body.profile_image)).toContain(address);
    expect((await sendAsGuest(address ?? "")).status).toBe(200);
  });
});

describe("removing the photo", () => {
  const remove = (sendRequest: SendRequest) =>
    sendRequest("/tipster-dashboard/photo/remove", { method: "POST", body: new URLSearchParams() });

  it("shows the silks instead and deletes the file a day later", async () => {
    const tipster = await makeTipster();
    const send = await createSender(tipster);
    const address = String((await photo(send)).body.profile_image);
    expect(await (await send("/tipster-dashboard")).text()).toContain("Remove photo");
    const response = await remove(send);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Profile photo removed");
    expect(await readImage(tipster.id)).toBeNull();
    expect(await (await send("/tipster-dashboard")).text()).not.toContain("Remove photo");
    const folder = join(env().dataDir, "uploads");
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), longAgo, longAgo);
    await deleteOldImages.run({}, { isLast: false });
    expect((await sendAsGuest(address)).status).toBe(404);
  });

  it("is allowed while suspended", async () => {
    const tipster = await makeTipster();
    await photo(await createSender(tipster));
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect((await remove(await createSender(tipster))).status).toBe(200);
    expect(await readImage(tipster.id)).toBeNull();
  });

  it("is limited to the creator", async () => {
    const tipster = await makeTipster();
    const address = (await photo(await createSender(tipster))).body.profile_image;
    for (const send of [
      sendAsGuest,
      await createSender(await makeUser()),
      await createSender(await makeTipster()),
    ])
      await remove(send);
    expect(await readImage(tipster.id)).toBe(address);
    const notACreator = { ok: false, refusal: "not-a-creator" };
    expect(await removeCreatorPhoto((await makeUser()).id)).toEqual(notACreator);
  });

  it("is idempotent when requests arrive together", async () => {
    const tipster = await makeTipster();
    const send = await createSender(tipster);
    await photo(send);
    const responses = await Promise.all([remove(send), remove(send), remove(send)]);
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    expect((await remove(send)).status).toBe(200);
    expect(await readImage(tipster.id)).toBeNull();
  });
});

describe("invalid photos", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const gif = Buffer.from("R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=", "base64");
  const tiff = () => picture().tiff().toBuffer();

  it.each<[string, () => Promise<string> | string]>([
    ["a web page", () => dataUrl(Buffer.from("<html><script>1</script>"), "text/html")],
    ["a web page declared as PNG", () => dataUrl(Buffer.from("<html><script>1</script>"))],
    ["an SVG with a script", () => dataUrl(Buffer.from(svg), "image/svg+xml")],
    ["an SVG with a script declared as PNG", () => dataUrl(Buffer.from(svg))],
    ["a GIF", () => dataUrl(gif, "image/gif")],
    ["a GIF declared as PNG", () => dataUrl(gif)],
    ["a TIFF declared as JPEG", async () => dataUrl(await tiff(), "image/jpeg")],
    ["a truncated PNG", async () => dataUrl((await picture().png().toBuffer()).subarray(0, 60))],
    [
      "a PNG signature before other content",
      () => dataUrl(Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("MZ...")])),
    ],
    ["a URL to fetch", () => "http://127.0.0.1:1/photo.png"],
    ["a local file path", () => "file:///etc/passwd"],
    ["nothing", () => ""],
  ])("returns 415 for %s and changes nothing", async (_what, imageData) => {
    const tipster = await makeTipster();
    const response = await uploadJson(await createSender(tipster), {
      imageData: await imageData(),
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({
      error: "Please choose a photo in JPEG, PNG or WebP format.",
    });
    expect(await readImage(tipster.id)).toBeNull();
  });

  it.each([["nonsense"], [{}], [{ imageData: 7 }], [[]], ["null"]])(
    "returns 400 for %j",
    async (body) => {
      expect((await uploadJson(await createSender(await makeTipster()), body)).status).toBe(400);
    },
  );

  it("returns 413 for a photo above 5 MB", async () => {
    const tipster = await makeTipster();
    const oversizedFile = Buffer.alloc(5 * MB + 1, 7);
    const response = await uploadJson(await createSender(tipster), {
      imageData: dataUrl(oversizedFile),
    });
    expect(response.status).toBe(413);
    const body = await response.json();
    expect(body.error).toBe("That photo is larger than 5 MB. Please choose a smaller one.");
  });

  it("refuses a request above 8 MB before reading it", async () => {
    const tipster = await makeTipster();
    const response = await uploadJson(await createSender(tipster), {
      imageData: "A".repeat(9 * MB),
    });
    expect(response.status).toBe(413);
  });

  it("refuses a 900-megapixel decompression bomb without decoding it", async () => {
    const tipster = await makeTipster();
    const bomb = createDecompressionBomb(30_000, 30_000);
    expect(bomb.length).toBeLessThan(200_000);
    const send = await createSender(tipster);
    const memoryBefore = process.memoryUsage().rss;
    const response = await uploadJson(send, { imageData: dataUrl(bomb) });
    // Decoded, it would take 2.7 GB.
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(100 * MB);
    expect(response.status).toBe(413);
    expect((await response.json()).error).toContain("16 megapixels");
  });
});

describe("access to another creator's photo", () => {
  it("ignores the tipsterId in the request", async () => {
    const tipster = await makeTipster();
    const otherTipster = await makeTipster();
    const response = await uploadJson(await createSender(tipster), {
      tipsterId: otherTipster.id,
      imageData: dataUrl(await picture().png().toBuffer()),
    });
    expect(response.status).toBe(200);
    expect(await readImage(otherTipster.id)).toBeNull();
    expect(await readImage(tipster.id)).not.toBeNull();
  });

  it("refuses guests, users and suspended creators", async () => {
    const tipster = await makeTipster();
    const send = await createSender(tipster);
    await suspendCreator((await makeAdmin()).id, tipster.id);
    expect((await photo(sendAsGuest)).status).toBe(401);
    expect((await photo(await createSender(await makeUser()))).status).toBe(403);
    expect((await photo(await createSender(tipster))).status).toBe(403);
    // The session that was open at the time of the suspension has ended.
    expect((await photo(send)).status).toBe(401);
    expect(await readImage(tipster.id)).toBeNull();
  });

  it("allows analysts to change their own photo", async () => {
    const analyst = await makeTipster({ kind: "analyst" });
    expect((await photo(await createSender(analyst))).status).toBe(200);
  });

  it.each([
    "/uploads/",
    "/uploads/..%2f..%2fauth-secret/320.webp",
    `/uploads/${"0".repeat(32)}/..%2F..%2F..%2Fauth-secret`,
    `/uploads/${"0".repeat(32)}/320.webp%00.html`,
    `/uploads/${randomUUID()}/320.webp`,
    `/uploads/${"0".repeat(32)}/320.webp`,
  ])("returns 404 for %s", async (path) => {
    expect((await sendAsGuest(path)).status).toBe(404);
  });
});
