import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import {
  findAvailableSlug,
  isNameTaken,
  lockCreatorNames,
  normaliseDisplayName,
} from "./creator-names.server.ts";
import { creatorRecords, creators } from "./tables.server.ts";

export type NewCreator = {
  userId: string;
  kind: "tipster" | "analyst";
  displayName: string;
  specialization?: string;
  bio?: string;
  profileImage?: string | null;
  /** The admin who approved or invited them. */
  approvedBy: string | null;
};

export type CreateCreatorResult =
  | { ok: true; slug: string }
  | { ok: false; refusal: "display-name-taken" };

/**
 * Makes a user a creator in the caller's transaction, with an empty record and a slug. The caller
 * must grant the role. Idempotent.
 */
export async function createCreator(tx: Tx, creator: NewCreator): Promise<CreateCreatorResult> {
  const displayName = normaliseDisplayName(creator.displayName);
  await lockCreatorNames(tx);
  const [existing] = await tx
    .select({ slug: creators.slug })
    .from(creators)
    .where(eq(creators.userId, creator.userId));
  if (existing) return { ok: true, slug: existing.slug };
  if (await isNameTaken(tx, displayName)) return { ok: false, refusal: "display-name-taken" };
  const slug = await findAvailableSlug(tx, displayName);
  const at = now();
  await tx.insert(creators).values({
    userId: creator.userId,
    kind: creator.kind,
    displayName,
    slug,
    specialization: creator.specialization?.trim() ?? "",
    bio: creator.bio?.trim() ?? "",
    profileImage: creator.profileImage ?? null,
    approvedAt: at,
    approvedBy: creator.approvedBy,
    createdAt: at,
    updatedAt: at,
  });
  await tx.insert(creatorRecords).values({ creatorId: creator.userId });
  return { ok: true, slug };
}
