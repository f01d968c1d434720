import { and, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { database, type Tx } from "#platform/database.server.ts";
import { analystInvitations, tipsterApplications } from "../tables.server.ts";

/** Takes the applicants out of what was declined before an instant. */
export async function anonymiseOldApplications(before: Date): Promise<void> {
  await forget(
    database(),
    and(eq(tipsterApplications.status, "declined"), lt(tipsterApplications.decidedAt, before)),
  );
}

/** Takes someone who leaves out of every application they made; what is open goes altogether. */
export async function removeApplicant(
  tx: Tx,
  person: { userId: string; email: string },
): Promise<void> {
  const theirs = or(
    eq(tipsterApplications.email, person.email),
    eq(tipsterApplications.userId, person.userId),
  );
  await tx
    .delete(tipsterApplications)
    .where(and(theirs, eq(tipsterApplications.status, "applied")));
  await tx.delete(analystInvitations).where(eq(analystInvitations.userId, person.userId));
  await forget(tx, theirs);
}

async function forget(from: Pick<Tx, "update">, where: SQL | undefined): Promise<void> {
  await from
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
