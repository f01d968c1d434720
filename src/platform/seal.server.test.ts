import { afterEach, describe, expect, it, vi } from "vitest";
import { env } from "./env.server.ts";
import { seal, unseal } from "./seal.server.ts";

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

describe("what is sealed", () => {
  it("is opened for its purpose and owner alone, and not when it was altered", () => {
    const sealed = seal(TEXT, LOCK);
    expect(sealed).not.toContain("1234567890");
    expect(seal(TEXT, LOCK)).not.toBe(sealed);
    expect(unseal(sealed, LOCK)).toBe(TEXT);
    expect(() => unseal(sealed, { ...LOCK, owner: "b" })).toThrow();
    expect(() => unseal(sealed, { ...LOCK, purpose: "two-step-key" })).toThrow();
    const last = sealed.at(-2) === "A" ? "B" : "A";
    expect(() => unseal(sealed.slice(0, -2) + last + sealed.slice(-1), LOCK)).toThrow();
    expect(() => unseal("v2.x", LOCK)).toThrow();
  });

  it("opens after a change of the secret as long as the one before is known", () => {
    const sealed = seal(TEXT, LOCK);
    let back = changeSecret({ keepsPrevious: true });
    expect(unseal(sealed, LOCK)).toBe(TEXT);
    const anew = seal(TEXT, LOCK);
    back();
    expect(() => unseal(anew, LOCK)).toThrow();
    back = changeSecret({ keepsPrevious: false });
    expect(() => unseal(sealed, LOCK)).toThrow();
    back();
  });
});
