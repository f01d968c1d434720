import { eq } from "drizzle-orm";
import { createUserInTransaction, grantRole } from "#accounts/accounts.server.ts";
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
  photo?: string | null;
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
  const existing = await findCreatorRow(tx, creator.userId);
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
    photo: creator.photo ?? null,
    approvedAt: at,
    approvedBy: creator.approvedBy,
    createdAt: at,
    updatedAt: at,
  });
  await tx.insert(creatorRecords).values({ creatorId: creator.userId });
  return { ok: true, slug };
}

/**
 * Creates an unconfirmed account without a password for an address that an admin approved or invited,
 * and makes it a creator. Returns null and writes nothing if the address has an account. The caller
 * must have checked the display name.
 */
export async function createCreatorAccount(
  tx: Tx,
  account: { email: string; name: string; agreedAt: Date | null },
  creator: Omit<NewCreator, "userId">,
): Promise<string | null> {
  const userId = await createUserInTransaction(tx, {
    ...account,
    passwordHash: null,
    verified: false,
  });
  if (userId === null) return null;
  await createCreator(tx, { ...creator, userId });
  await grantRole(tx, { userId, role: creator.kind, actorId: creator.approvedBy });
  return userId;
}

/** Returns the row of a creator in the caller's transaction, also of a suspended one. */
export async function findCreatorRow(from: Pick<Tx, "select">, userId: string) {
  const [creator] = await from.select().from(creators).where(eq(creators.userId, userId));
  return creator ?? null;
}
