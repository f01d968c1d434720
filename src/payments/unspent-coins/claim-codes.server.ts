import { createHash, randomInt } from "node:crypto";
import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { claimCodes } from "../tables.server.ts";

/** Section 63 of the Consumer Protection Act: a prepaid credit does not expire within three years. */
const VALID_YEARS = 3;

// Crockford's base 32 has no letters that look like digits.
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUPS = 5;
const GROUP_LENGTH = 4;

/**
 * What went back to the payer in another way after a failed refund `r` of the purchase `p`, in cents, as an SQL
 * expression. A claim code does not give it again.
 */
export const LATER_CENTS_SQL = sql.raw(
  "greatest(0, least(p.amount_cents, p.refunded_cents + p.lost_cents) - r.returned_cents_before)",
);

/** Issues the claim code of a closed account, which is stored as a hash. Returns the code: 100 random bits. */
export async function issueClaimCode(tx: Tx, userId: string): Promise<string> {
  const code = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
  ).join("-");
  const createdAt = now();
  const expiresAt = new Date(createdAt);
  expiresAt.setUTCFullYear(createdAt.getUTCFullYear() + VALID_YEARS);
  await tx
    .insert(claimCodes)
    .values({ userId, codeHash: hashClaimCode(code), createdAt, expiresAt });
  return code;
}

/** Returns the hash of a code as it is stored. Ignores case and separators, and reads O as 0 and I and L as 1. */
export function hashClaimCode(code: string): string {
  const characters = code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return createHash("sha256").update(`claim:${characters}`).digest("hex");
}
