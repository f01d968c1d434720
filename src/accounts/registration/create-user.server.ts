import { and, eq, isNull } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { openWallet } from "#wallet/wallet.server.ts";
import { setPassword } from "../password/credentials.server.ts";
import { users } from "../tables.server.ts";

export type NewUser = {
  /** Lower case and trimmed. */
  email: string;
  name: string;
  /** Null for a user who will set a password through a link. */
  passwordHash: string | null;
  verified: boolean;
  /** When the user confirmed being 18 or older and agreed to the terms. */
  agreedAt: Date | null;
};

/**
 * Creates a user with a password and an empty wallet in the caller's transaction and returns their
 * id. Returns null and writes nothing if the address has an account.
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
 * Records when a user confirmed being 18 or older and agreed to the terms, in the caller's
 * transaction. Does not overwrite an earlier date.
 */
export async function recordAgreement(tx: Tx, userId: string, agreedAt: Date): Promise<void> {
  await tx
    .update(users)
    .set({ agreedAt })
    .where(and(eq(users.id, userId), isNull(users.agreedAt)));
}
