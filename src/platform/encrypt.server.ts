import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env.server.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM so that only this installation can decrypt it, and only for the
 * same purpose and owner: a ciphertext moved to another row cannot be decrypted.
 */
export function encrypt(text: string, context: { purpose: string; owner: string }): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(context.purpose, env().authSecret), nonce);
  cipher.setAAD(Buffer.from(context.owner));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  return `${VERSION}.${bytes.toString("base64url")}`;
}

/**
 * Decrypts the result of `encrypt` with the current or the previous secret. Throws when it was
 * encrypted for another owner or with another secret, or was modified.
 */
export function decrypt(ciphertext: string, context: { purpose: string; owner: string }): string {
  const { authSecret, previousAuthSecret } = env();
  try {
    return decryptWith(ciphertext, context, authSecret);
  } catch (error) {
    if (!previousAuthSecret) throw error;
    return decryptWith(ciphertext, context, previousAuthSecret);
  }
}

function decryptWith(
  ciphertext: string,
  context: { purpose: string; owner: string },
  secret: string,
): string {
  const [version, encodedBytes = ""] = ciphertext.split(".");
  if (version !== VERSION) throw new Error("Unknown ciphertext version.");
  const bytes = Buffer.from(encodedBytes, "base64url");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(context.purpose, secret), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context.owner));
  decipher.setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/** Derives a separate key for each purpose. */
function deriveKey(purpose: string, secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "furlong", purpose, 32));
}
