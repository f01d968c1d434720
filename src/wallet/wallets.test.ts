import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pool, transaction } from "#platform/database.server.ts";
import { grantTestCoins, makeUser } from "#test/factories.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { postToLedger } from "./ledger.server.ts";
import { deleteUnusedWallet, hasNoPostings, readWallet } from "./wallets.server.ts";

/** Runs the work while a grant of 4 coins is posted and not committed, then commits it. */
async function whileGrantIsUncommitted<T>(owner: string, work: () => Promise<T>): Promise<T> {
  const started = await transaction(async (tx) => {
    await postToLedger(tx, "grant", randomUUID(), [
      { account: "wallet", owner, unit: "coin", amount: 4 },
      { account: "granted", unit: "coin", amount: -4 },
    ]);
    const result = work();
    await waitForLockWaiters(1);
    return { result };
  });
  return await started.result;
}

describe("a wallet without postings", () => {
  it("is distinguished from a wallet with coins and from one that was emptied", async () => {
    const [empty, emptied, filled] = [await makeUser(), await makeUser(), await makeUser()];
    await grantTestCoins(emptied.id, 4);
    await transaction((tx) =>
      postToLedger(tx, "forfeit", randomUUID(), [
        { account: "wallet", owner: emptied.id, unit: "coin", amount: -4 },
        { account: "forfeited", owner: emptied.id, unit: "coin", amount: 4 },
      ]),
    );
    await grantTestCoins(filled.id, 4);
    expect(await hasNoPostings(empty.id)).toBe(true);
    expect(await hasNoPostings(emptied.id)).toBe(false);
    expect(await hasNoPostings(filled.id)).toBe(false);
    expect(await hasNoPostings(randomUUID())).toBe(false);
  });

  it("stays without postings until the transaction that checked it has ended", async () => {
    const { id } = await makeUser();
    const { granted } = await transaction(async (tx) => {
      expect(await hasNoPostings(id, tx)).toBe(true);
      const granted = grantTestCoins(id, 4);
      await waitForLockWaiters(1);
      expect(await readWallet(id)).toMatchObject({ balanceCoins: 0 });
      return { granted };
    });
    await granted;
    expect(await readWallet(id)).toMatchObject({ balanceCoins: 4 });
  });

  it("is not reported when a grant commits while the check waits for the lock", async () => {
    const { id } = await makeUser();
    const isUntouched = await whileGrantIsUncommitted(id, () =>
      transaction((tx) => hasNoPostings(id, tx)),
    );
    expect(isUntouched).toBe(false);
  });

  it("is deleted once, without any other wallet", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    expect(await transaction((tx) => deleteUnusedWallet(tx, user.id))).toBe(true);
    const { rows } = await pool().query("select user_id from wallets where user_id = any($1)", [
      [user.id, other.id],
    ]);
    expect(rows).toEqual([{ user_id: other.id }]);
    expect(await transaction((tx) => deleteUnusedWallet(tx, user.id))).toBe(false);
  });

  it("is not deleted when a grant commits while the deletion waits for the lock", async () => {
    const { id } = await makeUser();
    const isDeleted = await whileGrantIsUncommitted(id, () =>
      transaction((tx) => deleteUnusedWallet(tx, id)),
    );
    expect(isDeleted).toBe(false);
    expect(await readWallet(id)).toMatchObject({ balanceCoins: 4 });
  });
});
