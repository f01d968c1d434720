import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { now } from "#platform/clock.server.ts";

// RFC 6238 as every authenticator app does it: SHA-1, six digits, a new code each half minute.
const STEP_MS = 30_000;
const DIGITS = 6;
const KEY_BYTES = 20;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Clocks differ: the code before and the one after are taken too. */
const DRIFT = [0, -1, 1];

/** A new key, as an authenticator app takes it. */
export function generateKey(): string {
  // 32 letters of 256 values each: every letter is as likely as the others.
  return Array.from(randomBytes((KEY_BYTES * 8) / 5), (byte) => ALPHABET[byte % 32]).join("");
}

/** The code of one half minute, counted from 1970. */
export function codeForStep(key: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", bytesOf(key)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

/** The half minute it is now. */
export function currentStep(): number {
  return Math.floor(now().getTime() / STEP_MS);
}

/** The half minute whose code this is, of those that are taken now; null where it is none of them. */
export function findStep(key: string, code: string): number | null {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return null;
  const steps = DRIFT.map((each) => currentStep() + each);
  return steps.find((step) => timingSafeEqual(Buffer.from(codeForStep(key, step)), given)) ?? null;
}

/** The address that an authenticator app reads from the picture. */
export function otpauthUrl(key: string, email: string): string {
  return `otpauth://totp/Furlong:${encodeURIComponent(email)}?secret=${key}&issuer=Furlong`;
}

function bytesOf(key: string): Buffer {
  let bits = "";
  for (const letter of key) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
