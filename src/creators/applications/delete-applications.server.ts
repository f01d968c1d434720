import { and, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { analystInvitations, tipsterApplications } from "../tables.server.ts";

/** Deletes the personal data of applications declined before an instant. */
export async function anonymiseOldApplications(before: Date): Promise<void> {
  await anonymise(
    database(),
    and(eq(tipsterApplications.status, "declined"), lt(tipsterApplications.decidedAt, before)),
  );
}

/**
 * Deletes the open applications and invitations of a user whose account is closed, and the personal
 * data in decided ones.
 */
export async function removeApplicant(
  tx: Tx,
  person: { userId: string; email: string },
): Promise<void> {
  const isApplicant = or(
    eq(tipsterApplications.email, person.email),
    eq(tipsterApplications.userId, person.userId),
  );
  await tx
    .delete(tipsterApplications)
    .where(and(isApplicant, eq(tipsterApplications.status, "applied")));
  await tx.delete(analystInvitations).where(eq(analystInvitations.userId, person.userId));
  await anonymise(tx, isApplicant);
}

async function anonymise(db: Pick<Tx, "update">, where: SQL | undefined): Promise<void> {
  await db
    .update(tipsterApplications)
    .set({
      email: sql`${tipsterApplications.id} || '.' || gen_random_uuid() || '@closed.invalid'`,
      fullName: "Forgotten",
      displayName: "Forgotten",
      phoneNumber: "",
      experienceYears: null,
      specialization: "",
      favouriteTracks: "",
      bio: "",
      reason: null,
    })
    .where(and(where, sql`${tipsterApplications.email} not like '%@closed.invalid'`));
}
