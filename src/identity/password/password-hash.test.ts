import { describe, expect, it } from "vitest";
import {
  HashersBusy,
  hashPassword,
  makeHash,
  matchesHash,
  unlessHasherQueueIsFull,
} from "./password-hash.server.ts";

describe("a password's hash", () => {
  it("is argon2id with 19 MiB and two passes, and never twice the same", async () => {
    const [one, two] = await Promise.all([makeHash("Jet Master"), makeHash("Jet Master")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
  });

  it("is matched by its password alone", async () => {
    const hash = await makeHash(" Sea Cottage ");
    expect(await matchesHash(hash, " Sea Cottage ")).toBe(true);
    expect(await matchesHash(hash, "Sea Cottage")).toBe(false);
    expect(await matchesHash(hash, " sea cottage ")).toBe(false);
    expect(await matchesHash("", "")).toBe(false);
    expect(await matchesHash("$2b$10$something", "something")).toBe(false);
  });

  it("is matched however the keyboard composes its letters", async () => {
    expect(await matchesHash(await makeHash("S\u00eaSo"), "Se\u0302So")).toBe(true);
  });

  it("is refused where more than fifty wait for theirs, and made again once they are done", async () => {
    const tries = Array.from({ length: 80 }, (_, i) => hashPassword(`flood ${i}`));
    await expect(makeHash("one more")).rejects.toBeInstanceOf(HashersBusy);
    const hashes = await Promise.all(tries);
    const made = hashes.filter((hash) => hash !== null).length;
    expect(made).toBeGreaterThanOrEqual(51);
    expect(made).toBeLessThanOrEqual(54);
    expect(await hashPassword("after the flood")).not.toBeNull();
  });

  it("is not even begun for more than so many who sign in at once, and is once they are through", async () => {
    let through = () => {};
    const held = new Promise<void>((resolve) => {
      through = resolve;
    });
    let begun = 0;
    const tries = Array.from({ length: 80 }, () =>
      unlessHasherQueueIsFull(async () => {
        begun += 1;
        await held;
        return true;
      }),
    );
    expect(begun).toBeGreaterThanOrEqual(51);
    expect(begun).toBeLessThanOrEqual(54);
    through();
    const answers = await Promise.all(tries);
    expect(answers.filter((answer) => answer === null)).toHaveLength(80 - begun);
    expect(await unlessHasherQueueIsFull(async () => true)).toBe(true);
  });
});
