import { afterEach, describe, expect, it, vi } from "vitest";
import { decrypt, encrypt } from "./encrypt.server.ts";
import { env } from "./env.server.ts";

const LOCK = { purpose: "bank-details", owner: "a" };
const TEXT = "account 1234567890";

afterEach(() => vi.restoreAllMocks());

function changeSecret({ keepsPrevious }: { keepsPrevious: boolean }): () => void {
  const current = env();
  const before = { ...current };
  Object.assign(current, {
    authSecret: "another secret of at least 32 letters",
    previousAuthSecret: keepsPrevious ? before.authSecret : null,
  });
  return () => void Object.assign(current, before);
}

describe("encrypt and decrypt", () => {
  it("decrypts for the same purpose and owner only, and refuses a modified ciphertext", () => {
    const sealed = encrypt(TEXT, LOCK);
    expect(sealed).not.toContain("1234567890");
    expect(encrypt(TEXT, LOCK)).not.toBe(sealed);
    expect(decrypt(sealed, LOCK)).toBe(TEXT);
    expect(() => decrypt(sealed, { ...LOCK, owner: "b" })).toThrow();
    expect(() => decrypt(sealed, { ...LOCK, purpose: "two-step-key" })).toThrow();
    const last = sealed.at(-2) === "A" ? "B" : "A";
    expect(() => decrypt(sealed.slice(0, -2) + last + sealed.slice(-1), LOCK)).toThrow();
    expect(() => decrypt("v2.x", LOCK)).toThrow();
  });

  it("decrypts after a change of the secret while the previous one is configured", () => {
    const sealed = encrypt(TEXT, LOCK);
    let back = changeSecret({ keepsPrevious: true });
    expect(decrypt(sealed, LOCK)).toBe(TEXT);
    const again = encrypt(TEXT, LOCK);
    back();
    expect(() => decrypt(again, LOCK)).toThrow();
    back = changeSecret({ keepsPrevious: false });
    expect(() => decrypt(sealed, LOCK)).toThrow();
    back();
  });
});
