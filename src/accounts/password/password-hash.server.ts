import { randomBytes, timingSafeEqual } from "node:crypto";
import { PASSWORD_MAX_LENGTH } from "../accounts.input.ts";
import { hashCost } from "./hash-cost.ts";
import { computeHashCapacity, deriveTag, HashQueueFullError } from "./hash-workers.server.ts";

const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

let runningSignIns = 0;

/**
 * Runs a sign-in attempt, or returns null immediately if the queue is full. Must be called before any
 * database query, so that a flood of attempts neither slows down other requests nor reveals whether an
 * account exists.
 */
export async function withSignInSlot<T>(work: () => Promise<T>): Promise<T | null> {
  if (runningSignIns >= computeHashCapacity()) return null;
  runningSignIns += 1;
  try {
    return await work();
  } finally {
    runningSignIns -= 1;
  }
}

/**
 * Returns the password's argon2id hash as a PHC string. Throws HashQueueFullError when the queue is
 * full.
 */
export async function computeHash(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const parameters = buildParameters(password, nonce, TAG_BYTES);
  const tag = await deriveTag(parameters);
  const { memory, passes, parallelism } = parameters;
  const prefix = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
  return `${prefix}$${encodeUnpaddedBase64(nonce)}$${encodeUnpaddedBase64(tag)}`;
}

/** Whether the password matches the hash. Throws HashQueueFullError when the queue is full. */
export async function verifyHash(hash: string, password: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = "", expected = ""] = parts;
  const expectedTag = Buffer.from(expected, "base64");
  const actualTag = await deriveTag({
    ...buildParameters(password, Buffer.from(salt, "base64"), expectedTag.length),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actualTag, expectedTag);
}

/** Returns the password's hash, or null when the queue is full (respond with 503). */
export async function hashPassword(password: string): Promise<string | null> {
  return await nullIfHashQueueFull(computeHash(password));
}

/** Whether the password matches a stored hash; null when the queue is full. */
export async function verifyPassword(hash: string, password: string): Promise<boolean | null> {
  return await nullIfHashQueueFull(verifyHash(hash, password));
}

/** Returns the result of the work, or null when the hash queue is full. */
export async function nullIfHashQueueFull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HashQueueFullError) return null;
    throw error;
  }
}

function buildParameters(password: string, nonce: Buffer, tagLength: number) {
  return {
    // Keyboards compose accented letters differently; NFKC makes them equal. It takes quadratic time,
    // so a text that is too long for a password is hashed as it is, in the same time as any other.
    message: password.length > PASSWORD_MAX_LENGTH ? password : password.normalize("NFKC"),
    nonce,
    parallelism: LANES,
    tagLength,
    ...hashCost,
  };
}

function encodeUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
