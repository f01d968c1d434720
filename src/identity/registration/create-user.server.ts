import { and, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { openWallet } from "#wallet/wallet.server.ts";
import { setPassword } from "../password/credentials.server.ts";
import { users } from "../tables.server.ts";

export type NewUser = {
  /** Lower case and trimmed, as the inputs hand it over. */
  email: string;
  name: string;
  /** Null for someone who is yet to set a password by a link. */
  passwordHash: string | null;
  verified: boolean;
  /** When they said to be 18 or older and agreed to the terms. */
  agreedAt: Date | null;
};

/**
 * Makes a user with password and empty wallet within the caller's transaction, and answers their id.
 * Null when the address has an account: then nothing is written.
 */
export async function createUserInTransaction(tx: Tx, user: NewUser): Promise<string | null> {
  const [row] = await tx
    .insert(users)
    .values({
      email: user.email,
      name: user.name,
      emailVerified: user.verified,
      agreedAt: user.agreedAt,
      createdAt: now(),
      updatedAt: now(),
    })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (!row) return null;
  if (user.passwordHash) await setPassword(tx, row.id, user.passwordHash);
  await openWallet(tx, row.id);
  return row.id;
}

/**
 * Writes down when a user said to be 18 or older and agreed to the terms, within the caller's
 * transaction. The first time stands.
 */
export async function recordAgreement(tx: Tx, userId: string, agreedAt: Date): Promise<void> {
  await tx
    .update(users)
    .set({ agreedAt })
    .where(and(eq(users.id, userId), isNull(users.agreedAt)));
}
