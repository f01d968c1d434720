import pLimit from "p-limit";
import sharp from "sharp";

// Decoders of uploaded files are limited to three formats, whatever type the upload claims.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});
// No image data is cached between uploads.
sharp.cache(false);

const MAX_PIXELS = 16_000_000;
const MAX_CONCURRENT = 2;
const MAX_WAITING = 20;
const WEBP_QUALITY = 82;

export type SquareImagesResult =
  | { ok: true; images: Map<number, Buffer> }
  | { ok: false; refusal: "not-an-image" | "too-many-pixels" | "busy" };

const limit = pLimit(MAX_CONCURRENT);

/**
 * Creates square WebP images of the given sizes from a JPEG, PNG or WebP image. They are re-encoded
 * from its pixels, so metadata (location, camera) and appended data are removed.
 */
export async function createSquareImages(
  bytes: Uint8Array,
  sizes: readonly number[],
): Promise<SquareImagesResult> {
  if (limit.pendingCount >= MAX_WAITING) return { ok: false, refusal: "busy" };
  return await limit(() => encodeSquares(bytes, sizes));
}

async function encodeSquares(
  bytes: Uint8Array,
  sizes: readonly number[],
): Promise<SquareImagesResult> {
  const largest = Math.max(...sizes);
  try {
    // Decoded once; the smaller sizes are scaled from the largest.
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
          .webp({ quality: WEBP_QUALITY })
          .toBuffer(),
      );
    return { ok: true, images };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes("pixel limit");
    return { ok: false, refusal: isTooLarge ? "too-many-pixels" : "not-an-image" };
  }
}
