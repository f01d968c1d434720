import { randomBytes, timingSafeEqual } from "node:crypto";
import { env } from "#platform/env.server.ts";
import { derive, maxConcurrentHashes } from "./hash-workers.server.ts";

// OWASP's parameters for argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19 * 1024;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const PREFIX = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}`;

/** Of all processes together. */
const MAX_WAITING = 50;

/** Thrown where too many passwords are being looked at already; trying again in a few seconds helps. */
export class HashQueueFullError extends Error {}

let hashing = 0;
let signingIn = 0;

/** How many passwords this process takes at once: those in work, and its part of those that wait. */
function places(): number {
  return maxConcurrentHashes() + Math.ceil(MAX_WAITING / env().webProcesses);
}

/**
 * Does what will look at a password, or answers null at once where as many are under way as are ever
 * looked at: before anything is asked of the database, so that a flood takes nothing from others and
 * learns nothing.
 */
export async function withSignInSlot<T>(work: () => Promise<T>): Promise<T | null> {
  if (signingIn >= places()) return null;
  signingIn += 1;
  try {
    return await work();
  } finally {
    signingIn -= 1;
  }
}

async function inPlace<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= places()) throw new HashQueueFullError();
  hashing += 1;
  try {
    return await work();
  } finally {
    hashing -= 1;
  }
}

/** The password's argon2id hash as a PHC string. Throws HashQueueFullError when the queue is full. */
export async function computeHash(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await inPlace(() => derive(parameters(password, nonce, TAG_BYTES)));
  return `${PREFIX}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Whether this is the password behind the hash. Throws HashQueueFullError when the queue is full. */
export async function verifyHash(hash: string, password: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = "", expected = ""] = parts;
  const tag = Buffer.from(expected, "base64");
  const found = await inPlace(() =>
    derive({
      ...parameters(password, Buffer.from(salt, "base64"), tag.length),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  );
  return timingSafeEqual(found, tag);
}

/**
 * The password's hash, to be kept until an account is made of it. Null when too many passwords are
 * being hashed at once: then the answer is 503.
 */
export async function hashPassword(password: string): Promise<string | null> {
  return await nullIfHashQueueFull(computeHash(password));
}

/** Whether this is the password behind a hash that is kept; null when too many are being looked at. */
export async function verifyPassword(hash: string, password: string): Promise<boolean | null> {
  return await nullIfHashQueueFull(verifyHash(hash, password));
}

/** What the work came to, or null when the hashers were too busy for it. */
export async function nullIfHashQueueFull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HashQueueFullError) return null;
    throw error;
  }
}

function parameters(password: string, nonce: Buffer, tagLength: number) {
  return {
    // The same letter typed on two keyboards is the same letter.
    message: password.normalize("NFKC"),
    nonce,
    parallelism: LANES,
    tagLength,
    memory: MEMORY_KIB,
    passes: PASSES,
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
