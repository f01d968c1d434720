import { describe, expect, it, vi } from "vitest";
import { hashCost } from "./hash-cost.ts";
import { HashQueueFullError } from "./hash-workers.server.ts";
import { computeHash, hashPassword, verifyHash, withSignInSlot } from "./password-hash.server.ts";

describe("password hashing", () => {
  it("uses argon2id with 19 MiB and two passes, with a random salt", async () => {
    // The set-up of the tests lowers the cost in the module that was loaded before.
    vi.resetModules();
    const production = await import("./password-hash.server.ts");
    const [firstHash, secondHash] = await Promise.all([
      production.computeHash("Jet Master"),
      production.computeHash("Jet Master"),
    ]);
    expect(firstHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(firstHash).not.toBe(secondHash);
    // A hash is verified at its own cost, so that the cost can be raised.
    expect(firstHash).not.toContain(`m=${hashCost.memory},`);
    expect(await verifyHash(firstHash, "Jet Master")).toBe(true);
  });

  it("matches only the exact password", async () => {
    const hash = await computeHash(" Sea Cottage ");
    expect(await verifyHash(hash, " Sea Cottage ")).toBe(true);
    expect(await verifyHash(hash, "Sea Cottage")).toBe(false);
    expect(await verifyHash(hash, " sea cottage ")).toBe(false);
    expect(await verifyHash("", "")).toBe(false);
    expect(await verifyHash("$2b$10$something", "something")).toBe(false);
  });

  it("treats composed and decomposed letters as equal", async () => {
    expect(await verifyHash(await computeHash("S\u00eaSo"), "Se\u0302So")).toBe(true);
  });

  it("refuses new hashes when the queue of fifty is full, and accepts them again later", async () => {
    const tries = Array.from({ length: 80 }, (_, i) => hashPassword(`flood ${i}`));
    await expect(computeHash("one more")).rejects.toBeInstanceOf(HashQueueFullError);
    const hashes = await Promise.all(tries);
    const hashCount = hashes.filter((hash) => hash !== null).length;
    expect(hashCount).toBeGreaterThanOrEqual(51);
    expect(hashCount).toBeLessThanOrEqual(54);
    expect(await hashPassword("after the flood")).not.toBeNull();
  });

  it("refuses sign-ins beyond the queue's capacity, and accepts them again later", async () => {
    let through = () => {};
    const released = new Promise<void>((resolve) => {
      through = resolve;
    });
    let startedCount = 0;
    const tries = Array.from({ length: 80 }, () =>
      withSignInSlot(async () => {
        startedCount += 1;
        await released;
        return true;
      }),
    );
    expect(startedCount).toBeGreaterThanOrEqual(51);
    expect(startedCount).toBeLessThanOrEqual(54);
    through();
    const results = await Promise.all(tries);
    expect(results.filter((result) => result === null)).toHaveLength(80 - startedCount);
    expect(await withSignInSlot(async () => true)).toBe(true);
  });
});
