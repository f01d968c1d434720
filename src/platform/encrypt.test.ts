import { afterEach, describe, expect, it, vi } from "vitest";
import { decrypt, encrypt } from "./encrypt.server.ts";
import { env } from "./env.server.ts";

const CONTEXT = { purpose: "bank-details", owner: "a" };
const TEXT = "account 1234567890";

afterEach(() => vi.restoreAllMocks());

function changeSecret({ keepPrevious }: { keepPrevious: boolean }): () => void {
  const current = env();
  const original = { ...current };
  Object.assign(current, {
    authSecret: "another secret of at least 32 letters",
    previousAuthSecret: keepPrevious ? original.authSecret : null,
  });
  return () => void Object.assign(current, original);
}

describe("encrypt and decrypt", () => {
  it("decrypts for the same purpose and owner only, and refuses a modified ciphertext", () => {
    const ciphertext = encrypt(TEXT, CONTEXT);
    expect(ciphertext).not.toContain("1234567890");
    expect(encrypt(TEXT, CONTEXT)).not.toBe(ciphertext);
    expect(decrypt(ciphertext, CONTEXT)).toBe(TEXT);
    expect(() => decrypt(ciphertext, { ...CONTEXT, owner: "b" })).toThrow();
    expect(() => decrypt(ciphertext, { ...CONTEXT, purpose: "two-step-key" })).toThrow();
    const otherCharacter = ciphertext.at(-2) === "A" ? "B" : "A";
    expect(() =>
      decrypt(ciphertext.slice(0, -2) + otherCharacter + ciphertext.slice(-1), CONTEXT),
    ).toThrow();
    expect(() => decrypt("v2.x", CONTEXT)).toThrow();
  });

  it("decrypts old ciphertexts after a change of the secret while the previous one is configured", () => {
    const ciphertext = encrypt(TEXT, CONTEXT);
    let restoreSecret = changeSecret({ keepPrevious: true });
    expect(decrypt(ciphertext, CONTEXT)).toBe(TEXT);
    const newCiphertext = encrypt(TEXT, CONTEXT);
    restoreSecret();
    expect(() => decrypt(newCiphertext, CONTEXT)).toThrow();
    restoreSecret = changeSecret({ keepPrevious: false });
    expect(() => decrypt(ciphertext, CONTEXT)).toThrow();
    restoreSecret();
  });
});
