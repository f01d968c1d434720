import { eq, isNotNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
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
export const MAX_PHOTO_BYTES = 5 * 1024 * 1024;
const SIZES = [320, 96] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export type ChangePhotoResult =
  | { ok: true; photo: string }
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
export async function changeCreatorPhoto(
  creatorId: string,
  bytes: Uint8Array,
): Promise<ChangePhotoResult> {
  if (bytes.byteLength > MAX_PHOTO_BYTES) return { ok: false, refusal: "too-large" };
  const drawn = await createSquareImages(bytes, SIZES);
  if (!drawn.ok) return drawn;
  const photo = buildUploadPath(await saveUpload(drawn.images), SIZES[0]);
  const set = await setCreatorPhoto(creatorId, photo);
  return set.ok ? { ok: true, photo } : set;
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
      .select({ photo: creators.photo })
      .from(creators)
      .where(isNotNull(creators.photo));
    const currentIds = rows
      .map((row) => parseUploadId(row.photo ?? ""))
      .filter((id) => id !== null);
    await deleteUnusedUploads(deleteOldImages.name, new Set(currentIds), DAY_MS);
  },
};

export type SetCreatorPhotoResult =
  | { ok: true; previous: string | null }
  | { ok: false; refusal: "not-a-creator" | "suspended" };

/**
 * Sets or removes the URL of a creator's photo and returns the previous one. While the creator is
 * suspended, the photo can only be removed.
 */
export async function setCreatorPhoto(
  creatorId: string,
  photo: string | null,
): Promise<SetCreatorPhotoResult> {
  const result = await transaction(async (tx): Promise<SetCreatorPhotoResult> => {
    const [creator] = await tx
      .select({ photo: creators.photo, suspendedAt: creators.suspendedAt })
      .from(creators)
      .where(eq(creators.userId, creatorId))
      .for("no key update");
    if (!creator) return { ok: false, refusal: "not-a-creator" };
    if (creator.suspendedAt && photo) return { ok: false, refusal: "suspended" };
    await tx
      .update(creators)
      .set({ photo, updatedAt: now() })
      .where(eq(creators.userId, creatorId));
    return { ok: true, previous: creator.photo };
  });
  if (result.ok) await publishUpdate("race-cards");
  return result;
}

/**
 * Removes a creator's photo, even while suspended. Their silks are shown instead, and the nightly
 * job deletes the file. Idempotent.
 */
export async function removeCreatorPhoto(creatorId: string): Promise<SetCreatorPhotoResult> {
  return await setCreatorPhoto(creatorId, null);
}
