import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { exportPublicKey, formatVerifierKey } from "#domain/proof/signed-note.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { env } from "#platform/env.server.ts";
import { isInLog, type Log } from "./read-log.server.ts";

const SEED_BYTES = 32;
/** What precedes the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

const contextOf = (origin: string) => ({ purpose: "proof signing key", owner: origin });

/** A signing key cannot be decrypted, because AUTH_SECRET is not the one that encrypted it. */
export class SigningKeyError extends Error {
  constructor(cause: unknown) {
    super(
      "The signing key of the public log can't be decrypted: neither AUTH_SECRET nor AUTH_SECRET_PREVIOUS encrypted it.",
      { cause },
    );
  }
}

/**
 * Creates a signing key of a log, which signs from the checkpoint of size `fromSize` on, and returns its verifier key.
 * The key before it signs as well until `previousSignsUntil`. The seed is stored encrypted.
 */
export async function createSigningKey(
  tx: Tx,
  { origin, firstIndex }: Pick<Log, "origin" | "firstIndex">,
  {
    fromSize,
    previousSignsUntil = null,
    at,
  }: { fromSize: number; previousSignsUntil?: Date | null; at: Date },
): Promise<string> {
  const seed = randomBytes(SEED_BYTES);
  const verifierKey = formatVerifierKey(origin, exportPublicKey(toPrivateKey(seed)));
  await tx.execute(sql`
    insert into proof_signing_keys (verifier_key, encrypted_seed, from_size, previous_signs_until, created_at)
    values (${verifierKey}, ${encrypt(seed.toString("base64"), contextOf(origin))},
      ${firstIndex + fromSize}, ${previousSignsUntil?.toISOString() ?? null}, ${at.toISOString()})`);
  return verifierKey;
}

/** Reads the keys that sign a checkpoint at `at`, the newest first. Throws a SigningKeyError if one is unreadable. */
export async function readSigningKeys(tx: Tx, log: Log, at: Date): Promise<KeyObject[]> {
  const { rows } = await tx.execute<{ encryptedSeed: string }>(sql`
    select encrypted_seed as "encryptedSeed" from (
      select encrypted_seed, from_size, row_number() over newest_first = 1 as is_newest,
        -- The end of a key ends those before it as well.
        min(previous_signs_until) over (newest_first rows between unbounded preceding and 1 preceding)
          as signs_until
      from proof_signing_keys where ${isInLog("from_size", log)}
      window newest_first as (order by from_size desc)
    ) k where is_newest or signs_until > ${at.toISOString()} order by from_size desc`);
  return rows.map((row) => toPrivateKey(decryptSeed(row.encryptedSeed, log.origin)));
}

/**
 * Encrypts the signing keys with the current AUTH_SECRET while the previous one is known, so that they stay readable
 * when it is forgotten. Throws a SigningKeyError if a key is unreadable.
 */
export async function reencryptSigningKeys(tx: Tx): Promise<void> {
  const { rows } = await tx.execute<{
    origin: string;
    verifierKey: string;
    encryptedSeed: string;
  }>(sql`
    select l.origin, k.verifier_key as "verifierKey", k.encrypted_seed as "encryptedSeed"
    from proof_signing_keys k join proof_logs l on l.id = (k.from_size >> 40) + 1
    where l.closed_at is null for update of k`);
  for (const { origin, verifierKey, encryptedSeed } of rows) {
    const seed = decryptSeed(encryptedSeed, origin);
    if (!env().previousAuthSecret) continue;
    await tx.execute(sql`
      update proof_signing_keys
      set encrypted_seed = ${encrypt(seed.toString("base64"), contextOf(origin))}
      where verifier_key = ${verifierKey}`);
  }
}

function decryptSeed(encryptedSeed: string, origin: string): Buffer {
  try {
    return Buffer.from(decrypt(encryptedSeed, contextOf(origin)), "base64");
  } catch (error) {
    throw new SigningKeyError(error);
  }
}

function toPrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  });
}
