import { isNotNull } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { squareImages } from "#platform/images.server.ts";
import type { Job } from "#platform/queue.server.ts";
import {
  deleteUnusedUploads,
  saveUpload,
  uploadAddress,
  uploadOf,
} from "#platform/uploads.server.ts";
import { setCreatorImage } from "./set-creator-image.server.ts";
import { creators } from "./tables.server.ts";

/** A photo may weigh so much; what leaves here weighs a few kilobytes. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const SIZES = [320, 96] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export type ChangeImageAnswer =
  | { ok: true; profileImage: string }
  | {
      ok: false;
      refusal:
        | "too-large"
        | "not-an-image"
        | "too-many-pixels"
        | "busy"
        | "not-a-creator"
        | "suspended";
    };

/** Gives a creator another photo: drawn anew as squares, under a name of its own. */
export async function changeCreatorImage(
  creatorId: string,
  bytes: Uint8Array,
): Promise<ChangeImageAnswer> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) return { ok: false, refusal: "too-large" };
  const drawn = await squareImages(bytes, SIZES);
  if (!drawn.ok) return drawn;
  const profileImage = uploadAddress(await saveUpload(drawn.images), SIZES[0]);
  const set = await setCreatorImage(creatorId, profileImage);
  return set.ok ? { ok: true, profileImage } : set;
}

/**
 * Removes, each night, the photos that no creator is shown with any more. Not at once: a page that
 * shows the old one may be open somewhere.
 */
export const deleteOldImages: Job = {
  name: "forget-old-images",
  schedule: "40 3 * * *",
  async run() {
    const rows = await database()
      .select({ profileImage: creators.profileImage })
      .from(creators)
      .where(isNotNull(creators.profileImage));
    const shown = rows.map((row) => uploadOf(row.profileImage ?? "")).filter((id) => id !== null);
    await deleteUnusedUploads(new Set(shown), DAY_MS);
  },
};
