import { eq, isNotNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { squareImages } from "#platform/images.server.ts";
import { announce } from "#platform/notify.server.ts";
import type { Job } from "#platform/queue.server.ts";
import {
  deleteUnusedUploads,
  saveUpload,
  uploadAddress,
  uploadOf,
} from "#platform/uploads.server.ts";
import { creators } from "../tables.server.ts";

/** A photo may weigh so much; what leaves here weighs a few kilobytes. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const SIZES = [320, 96] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export type ChangeImageResult =
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
): Promise<ChangeImageResult> {
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

export type SetCreatorImageResult =
  | { ok: true; previous: string | null }
  | { ok: false; refusal: "not-a-creator" | "suspended" };

/**
 * Sets the photo a creator is shown with (its address here), or none. Answers what it replaces. While
 * they are suspended a photo can only be taken away.
 */
export async function setCreatorImage(
  creatorId: string,
  profileImage: string | null,
): Promise<SetCreatorImageResult> {
  const answer = await transaction(async (tx): Promise<SetCreatorImageResult> => {
    const [creator] = await tx
      .select({ profileImage: creators.profileImage, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, creatorId))
      .for("no key update");
    if (!creator) return { ok: false, refusal: "not-a-creator" };
    if (creator.suspendedAt && profileImage) return { ok: false, refusal: "suspended" };
    await tx
      .update(creators)
      .set({ profileImage, updatedAt: now() })
      .where(eq(creators.userId, creatorId));
    return { ok: true, previous: creator.profileImage };
  });
  if (answer.ok) await announce("race-cards");
  return answer;
}

/**
 * Takes a creator's photo away, suspended or not: they are shown by their silks from then on, and the
 * file goes with the next sweep. Twice is once.
 */
export async function removeCreatorImage(creatorId: string): Promise<SetCreatorImageResult> {
  return await setCreatorImage(creatorId, null);
}
