import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Tx } from "#platform/database.server.ts";
import { creators } from "./tables.server.ts";

/** Normalises a display name: NFKC, single spaces, trimmed. */
export function normaliseDisplayName(name: string): string {
  return name.normalize("NFKC").trim().replace(/\s+/g, " ");
}

/** Locks display names and slugs until the transaction ends. */
export async function lockCreatorNames(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('creator names'))`);
}

/** Whether another creator has this display name, ignoring case. */
export async function isNameTaken(
  tx: Tx,
  displayName: string,
  exceptId?: string,
): Promise<boolean> {
  const [existingCreator] = await tx
    .select({ id: creators.userId })
    .from(creators)
    .where(
      and(
        eq(sql`lower(${creators.displayName})`, sql`lower(${displayName})`),
        exceptId ? ne(creators.userId, exceptId) : undefined,
      ),
    );
  return existingCreator !== undefined;
}

/** Returns a free slug for a display name, numbered if the plain one is taken. */
export async function findAvailableSlug(tx: Tx, displayName: string): Promise<string> {
  const plain =
    displayName
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "tipster";
  const takenSlugs = await tx
    .select({ slug: creators.slug })
    .from(creators)
    .where(or(eq(creators.slug, plain), sql`${creators.slug} ~ ${`^${plain}-[0-9]+$`}`));
  const slugs = new Set(takenSlugs.map((row) => row.slug));
  if (!slugs.has(plain)) return plain;
  let number = 2;
  while (slugs.has(`${plain}-${number}`)) number += 1;
  return `${plain}-${number}`;
}
