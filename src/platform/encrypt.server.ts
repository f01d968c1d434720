import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env.server.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text so that only this installation opens it again, and only for the same purpose and owner:
 * a sealed text moved to another row does not open.
 */
export function encrypt(text: string, lock: { purpose: string; owner: string }): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(lock.purpose, env().authSecret), nonce);
  cipher.setAAD(Buffer.from(lock.owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/**
 * Opens what `seal` sealed, with this secret or the one before it. Throws where it was sealed for another
 * owner or secret, or altered.
 */
export function decrypt(sealed: string, lock: { purpose: string; owner: string }): string {
  const { authSecret, previousAuthSecret } = env();
  try {
    return open(sealed, lock, authSecret);
  } catch (error) {
    if (!previousAuthSecret) throw error;
    return open(sealed, lock, previousAuthSecret);
  }
}

function open(sealed: string, lock: { purpose: string; owner: string }, secret: string): string {
  const [version, body = ""] = sealed.split(".");
  if (version !== VERSION) throw new Error("sealed in a way that is not known");
  const bytes = Buffer.from(body, "base64url");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const cipher = createDecipheriv("aes-256-gcm", keyOf(lock.purpose, secret), nonce, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.from(lock.owner));
  cipher.setAuthTag(tag);
  const text = cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, cipher.final()]).toString("utf8");
}

/** Each purpose has a key of its own, so that none can be used for another. */
function keyOf(purpose: string, secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "furlong", purpose, 32));
}
