import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { exportPublicKey, formatVerifierKey } from "#domain/proof/signed-note.server.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { decrypt, encrypt } from "#platform/encrypt.server.ts";
import { env } from "#platform/env.server.ts";

const SEED_BYTES = 32;
/** What precedes the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

const contextOf = (origin: string) => ({ purpose: "proof signing key", owner: origin });

/** Creates the log's first signing key. The seed is stored encrypted. */
export async function createSigningKey(tx: Tx, origin: string): Promise<void> {
  const seed = randomBytes(SEED_BYTES);
  const publicKey = exportPublicKey(toPrivateKey(seed));
  await tx.execute(sql`
    insert into proof_signing_keys (verifier_key, encrypted_seed, from_size, created_at)
    values (${formatVerifierKey(origin, publicKey)},
      ${encrypt(seed.toString("base64"), contextOf(origin))}, 0, ${now().toISOString()})`);
}

/** Reads the key that signs checkpoints. Throws if AUTH_SECRET is neither the current nor the previous one. */
export async function readSigningKey(tx: Tx, origin: string): Promise<KeyObject> {
  const { rows } = await tx.execute<{ encryptedSeed: string }>(sql`
    select encrypted_seed as "encryptedSeed" from proof_signing_keys order by from_size desc limit 1`);
  return toPrivateKey(
    Buffer.from(decrypt(rows[0]?.encryptedSeed ?? "", contextOf(origin)), "base64"),
  );
}

/**
 * Encrypts the signing keys with the current AUTH_SECRET while the previous one is known, so that they stay readable
 * when it is forgotten.
 */
export async function reencryptSigningKeys(tx: Tx): Promise<void> {
  if (!env().previousAuthSecret) return;
  const { rows } = await tx.execute<{
    origin: string;
    verifierKey: string;
    encryptedSeed: string;
  }>(sql`
    select l.origin, k.verifier_key as "verifierKey", k.encrypted_seed as "encryptedSeed"
    from proof_signing_keys k cross join proof_logs l for update of k`);
  for (const { origin, verifierKey, encryptedSeed } of rows) {
    const seed = decrypt(encryptedSeed, contextOf(origin));
    await tx.execute(sql`
      update proof_signing_keys set encrypted_seed = ${encrypt(seed, contextOf(origin))}
      where verifier_key = ${verifierKey}`);
  }
}

function toPrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  });
}
