import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { now } from "#platform/clock.server.ts";

// RFC 6238 with the parameters that authenticator apps use: SHA-1, six digits, 30 seconds.
const STEP_MS = 30_000;
const DIGITS = 6;
export const KEY_BYTES = 20;
const BASE32_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Accepts the previous and the next code as well, because clocks differ. */
const ACCEPTED_DRIFT_STEPS = [0, -1, 1];

/** Returns a new random key in base32. */
export function generateKey(): string {
  return encodeBase32(randomBytes(KEY_BYTES));
}

/** Encodes bytes in base32. Their number must be a multiple of 5. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replace(/.{5}/g, (group) => BASE32_ALPHABET[Number.parseInt(group, 2)] ?? "");
}

/** Returns the code of a 30-second step, counted from 1970. */
export function computeCode(key: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", decodeBase32(key)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

/** Returns the current 30-second step. */
export function currentStep(): number {
  return Math.floor(now().getTime() / STEP_MS);
}

/** Returns the accepted step that this code belongs to, or null. */
export function findStep(key: string, code: string): number | null {
  const actual = Buffer.from(code);
  if (actual.length !== DIGITS) return null;
  const steps = ACCEPTED_DRIFT_STEPS.map((drift) => currentStep() + drift);
  return steps.find((step) => timingSafeEqual(Buffer.from(computeCode(key, step)), actual)) ?? null;
}

/** Returns the otpauth URL that authenticator apps read from the QR code. */
export function buildOtpauthUrl(key: string, email: string): string {
  return `otpauth://totp/Furlong:${encodeURIComponent(email)}?secret=${key}&issuer=Furlong`;
}

function decodeBase32(key: string): Buffer {
  let bits = "";
  for (const letter of key) bits += BASE32_ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
