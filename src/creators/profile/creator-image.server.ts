import { eq, isNotNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { createSquareImages } from "#platform/images.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import type { Job } from "#platform/queue.server.ts";
import {
  buildUploadPath,
  deleteUnusedUploads,
  parseUploadId,
  saveUpload,
} from "#platform/uploads.server.ts";
import { creators } from "../tables.server.ts";

/** Upload limit. The stored images are a few kilobytes. */
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

/** Replaces a creator's photo. The image is re-encoded as squares and stored under a new name. */
export async function changeCreatorImage(
  creatorId: string,
  bytes: Uint8Array,
): Promise<ChangeImageResult> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) return { ok: false, refusal: "too-large" };
  const drawn = await createSquareImages(bytes, SIZES);
  if (!drawn.ok) return drawn;
  const profileImage = buildUploadPath(await saveUpload(drawn.images), SIZES[0]);
  const set = await setCreatorImage(creatorId, profileImage);
  return set.ok ? { ok: true, profileImage } : set;
}

/**
 * Deletes unused photos every night, a day after they were replaced, because open pages may still
 * show them.
 */
export const deleteOldImages: Job = {
  name: "delete-old-images",
  schedule: "40 3 * * *",
  async run() {
    const rows = await database()
      .select({ profileImage: creators.profileImage })
      .from(creators)
      .where(isNotNull(creators.profileImage));
    const currentImages = rows
      .map((row) => parseUploadId(row.profileImage ?? ""))
      .filter((id) => id !== null);
    await deleteUnusedUploads(deleteOldImages.name, new Set(currentImages), DAY_MS);
  },
};

export type SetCreatorImageResult =
  | { ok: true; previous: string | null }
  | { ok: false; refusal: "not-a-creator" | "suspended" };

/**
 * Sets or removes the URL of a creator's photo and returns the previous one. While the creator is
 * suspended, the photo can only be removed.
 */
export async function setCreatorImage(
  creatorId: string,
  profileImage: string | null,
): Promise<SetCreatorImageResult> {
  const result = await transaction(async (tx): Promise<SetCreatorImageResult> => {
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
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/**
 * Removes a creator's photo, even while suspended. Their silks are shown instead, and the nightly
 * job deletes the file. Idempotent.
 */
export async function removeCreatorImage(creatorId: string): Promise<SetCreatorImageResult> {
  return await setCreatorImage(creatorId, null);
}

/** Removes the photo of an account that is being closed. */
export async function eraseCreatorPhoto(tx: Tx, creatorId: string): Promise<void> {
  await tx
    .update(creators)
    .set({ profileImage: null, updatedAt: now() })
    .where(eq(creators.userId, creatorId));
}
