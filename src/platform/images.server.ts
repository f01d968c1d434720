import sharp from "sharp";

// What decodes a stranger's bytes is kept small: three formats, no others, whatever a file says it is.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});
// Nothing of one picture stays in memory for the next.
sharp.cache(false);

const MAX_PIXELS = 16_000_000;
const AT_ONCE = 2;
const MAX_WAITING = 20;
const QUALITY = 82;

export type SquareImagesAnswer =
  | { ok: true; images: Map<number, Buffer> }
  | { ok: false; refusal: "not-an-image" | "too-many-pixels" | "busy" };

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Makes squares of the given sizes, in WebP, of a JPEG, PNG or WebP picture. They are drawn anew from its
 * pixels: nothing else that was in the file (place, camera, another file behind it) is in them.
 */
export async function squareImages(
  bytes: Uint8Array,
  sizes: readonly number[],
): Promise<SquareImagesAnswer> {
  if (running < AT_ONCE) running += 1;
  else {
    if (waiting.length >= MAX_WAITING) return { ok: false, refusal: "busy" };
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await draw(bytes, sizes);
  } finally {
    // The place is handed on to whoever has waited longest.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function draw(bytes: Uint8Array, sizes: readonly number[]): Promise<SquareImagesAnswer> {
  const largest = Math.max(...sizes);
  try {
    // One decoding for all sizes; the small ones are made from the largest.
    const square = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" })
      .autoOrient()
      .resize(largest, largest, { fit: "cover", position: "attention" })
      .flatten({ background: "#f4efe3" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = square.info;
    const images = new Map<number, Buffer>();
    for (const size of sizes)
      images.set(
        size,
        await sharp(square.data, { raw: { width, height, channels } })
          .resize(size, size)
          .webp({ quality: QUALITY })
          .toBuffer(),
      );
    return { ok: true, images };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes("pixel limit");
    return { ok: false, refusal: isTooLarge ? "too-many-pixels" : "not-an-image" };
  }
}
