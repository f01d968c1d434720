import { eq, sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { computeHash } from "./password/password-hash.server.ts";
import { createUserInTransaction } from "./registration/create-user.server.ts";
import { grantRole } from "./roles.server.ts";
import { userRoles } from "./tables.server.ts";
import { findUserByEmail } from "./users.server.ts";

/**
 * Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD if there is no admin. An existing
 * account with that address gets the role and keeps its password. Returns 'missing' if neither an
 * admin nor the variables exist.
 */
export async function ensureFirstAdmin(): Promise<"created" | "exists" | "missing"> {
  if (await adminExists(database())) return "exists";
  const { admin } = env();
  if (!admin) return "missing";
  const email = admin.email.trim().toLowerCase();
  const passwordHash = await computeHash(admin.password);
  return await transaction(async (tx) => {
    // Ensures that two servers starting together create one admin.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('identity first admin'))`);
    if (await adminExists(tx)) return "exists";
    const created = await createUserInTransaction(tx, {
      email,
      name: "Admin",
      passwordHash,
      verified: true,
      agreedAt: now(),
    });
    const userId = created ?? (await findUserByEmail(email, tx))?.id;
    if (!userId) throw new Error("failed to create the first admin account");
    await grantRole(tx, { userId, role: "admin", actorId: null });
    return "created";
  });
}

async function adminExists(db: Pick<Tx, "select">): Promise<boolean> {
  const rows = await db
    .select({ userId: userRoles.userId })
    .from(userRoles)
    .where(eq(userRoles.role, "admin"))
    .limit(1);
  return rows.length > 0;
}
