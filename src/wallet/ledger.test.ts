import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pool, transaction, violatedConstraint } from "#platform/database.server.ts";
import { makeUser } from "#test/factories.ts";
import { waitForLockWaiters } from "#test/locks.ts";
import { type Posting, postToLedger, readStatement } from "./ledger.server.ts";
import { lockWallet, readWallet } from "./wallets.server.ts";

const grant = (owner: string, amount: number): Posting[] => [
  { account: "wallet", owner, unit: "coin", amount },
  { account: "granted", unit: "coin", amount: -amount },
];
const forfeit = (owner: string, amount: number): Posting[] => [
  { account: "wallet", owner, unit: "coin", amount: -amount },
  { account: "forfeited", owner, unit: "coin", amount },
];

const COIN_ACCOUNTS = ["sold", "welcome", "granted", "redeemed", "forfeited"];
const CENT_ACCOUNTS = ["commission", "provider", "coin sales", "bank"];

const post = (kind: "grant" | "forfeit", reference: string, postings: Posting[]) =>
  transaction((tx) => postToLedger(tx, kind, reference, postings));

describe("posting to the ledger", () => {
  it("updates the wallet and the statement", async () => {
    const { id } = await makeUser();
    expect(await post("grant", randomUUID(), grant(id, 7))).toEqual(expect.any(Number));
    expect((await readWallet(id)).balanceCoins).toBe(7);
    expect((await readStatement(id)).lines).toMatchObject([
      { kind: "grant", amountCoins: 7, balanceCoins: 7 },
    ]);
  });

  it("has no effect when the same reference is posted twice", async () => {
    const { id } = await makeUser();
    const reference = randomUUID();
    await post("grant", reference, grant(id, 7));
    expect(await post("grant", reference, grant(id, 7))).toBeNull();
    expect((await readWallet(id)).balanceCoins).toBe(7);
  });

  it("posts once when fifty requests with one reference arrive together", async () => {
    const { id } = await makeUser();
    const reference = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 50 }, () => post("grant", reference, grant(id, 7))),
    );
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    expect((await readWallet(id)).balanceCoins).toBe(7);
  });

  it.each<[string, (owner: string) => Posting[]]>([
    ["does not balance", (owner) => [...grant(owner, 4).slice(0, 1), ...grant(owner, 3).slice(1)]],
    ["has one side", (owner) => grant(owner, 4).slice(0, 1)],
    [
      "balances over two units only",
      (owner) => [
        { account: "wallet", owner, unit: "coin", amount: 4 },
        { account: "provider", unit: "cent", amount: -4 },
      ],
    ],
    [
      "balances coins against cents, with two postings in each unit",
      (owner) => [
        { account: "wallet", owner, unit: "coin", amount: 5 },
        { account: "granted", unit: "coin", amount: -1 },
        { account: "provider", unit: "cent", amount: -5 },
        { account: "coin sales", unit: "cent", amount: 1 },
      ],
    ],
    ["exceeds the balance", (owner) => forfeit(owner, 1)],
    [
      "has zero amounts",
      (owner) => [
        { account: "wallet", owner, unit: "coin", amount: 0 },
        { account: "granted", unit: "coin", amount: 0 },
      ],
    ],
  ])("refuses a transaction that %s, without any effect", async (_, postings) => {
    const { id } = await makeUser();
    const reference = randomUUID();
    const error = await post("grant", reference, postings(id)).catch((thrown) => thrown);
    expect(violatedConstraint(error)).toBeDefined();
    const { rows } = await pool().query("select from ledger_transactions where reference = $1", [
      reference,
    ]);
    expect(rows).toEqual([]);
    expect((await readWallet(id)).balanceCoins).toBe(0);
  });

  it("accepts each account only with its unit, owner and balance", async () => {
    const { rows } = await pool().query<{ rule: string }>(
      `select account || ' ' || unit || case when has_owner then ' owner' else '' end
         || case when has_balance then ' balance' else '' end as rule
       from unnest($1::text[]) account, unnest('{coin,cent,rand}'::text[]) unit,
         unnest('{true,false}'::boolean[]) has_owner, unnest('{true,false}'::boolean[]) has_balance
       where is_valid_posting(account, case when has_owner then gen_random_uuid() end, unit,
         1, case when has_balance then 0 end)`,
      [[...COIN_ACCOUNTS, ...CENT_ACCOUNTS, "wallet", "owed", "payable", "invented"]],
    );
    expect(rows.map((row) => row.rule).sort()).toEqual(
      [
        "wallet coin owner balance",
        "owed coin owner",
        "forfeited coin owner",
        "payable cent owner",
        ...COIN_ACCOUNTS.map((account) => `${account} coin`),
        ...CENT_ACCOUNTS.map((account) => `${account} cent`),
      ].sort(),
    );
    const { id } = await makeUser();
    const invalidPosting = post("grant", randomUUID(), [
      { account: "wallet", owner: id, unit: "coin", amount: 4 },
      { account: "granted", owner: id, unit: "coin", amount: -4 } as unknown as Posting,
    ]);
    expect(violatedConstraint(await invalidPosting.catch((thrown) => thrown))).toBe(
      "ledger_postings_valid",
    );
  });

  it.each([
    "update ledger_postings set amount = amount",
    "delete from ledger_postings",
    "truncate ledger_postings",
    "update ledger_transactions set reference = 'x'",
    "delete from ledger_transactions",
    "truncate ledger_transactions cascade",
  ])("refuses %s", async (statement) => {
    const { id } = await makeUser();
    await post("grant", randomUUID(), grant(id, 1));
    await expect(pool().query(statement)).rejects.toThrow(/append-only/);
  });

  it("maintains every balance in generated histories", { retry: 0 }, async () => {
    const action = fc.record({
      userIndex: fc.integer({ min: 0, max: 2 }),
      amount: fc.integer({ min: 1, max: 9 }),
      isForfeit: fc.boolean(),
      isRepeated: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (history) => {
        const users = await Promise.all([makeUser(), makeUser(), makeUser()]);
        const expected = users.map(() => 0);
        for (const { userIndex, amount, isForfeit, isRepeated } of history) {
          const owner = users[userIndex]?.id ?? "";
          const reference = randomUUID();
          const postings = isForfeit ? forfeit(owner, amount) : grant(owner, amount);
          const kind = isForfeit ? "forfeit" : "grant";
          const isPossible = !isForfeit || (expected[userIndex] ?? 0) >= amount;
          const posted = await post(kind, reference, postings).catch(() => "refused");
          expect(posted !== "refused").toBe(isPossible);
          if (isPossible)
            expected[userIndex] = (expected[userIndex] ?? 0) + (isForfeit ? -amount : amount);
          if (isPossible && isRepeated) expect(await post(kind, reference, postings)).toBeNull();
        }
        for (const [index, person] of users.entries()) {
          const { lines } = await readStatement(person.id, { limit: 100 });
          expect((await readWallet(person.id)).balanceCoins).toBe(expected[index]);
          expect(lines.reduce((sum, line) => sum + line.amountCoins, 0)).toBe(expected[index]);
          expect(lines.every((line) => line.balanceCoins >= 0)).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("locks the updated wallets in the order of their owner ids", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser()));
    const ids = users.map(({ id }) => id).sort();
    // The wallets are stored and passed in reverse order of their owner ids.
    for (const id of ids.toReversed())
      await pool().query("update wallets set owed_coins = 0 where user_id = $1", [id]);
    for (const lockedIndex of [0, 3]) {
      const posting = await whileWalletIsLocked(ids[lockedIndex] ?? "", async (free) => {
        const posted = transaction(async (tx) => {
          // Prevents the planner from sorting the rows itself.
          await tx.execute("set local enable_sort = off");
          await tx.execute("set local enable_indexscan = off");
          return await postToLedger(tx, "grant", randomUUID(), [
            ...ids
              .toReversed()
              .map((id): Posting => ({ account: "wallet", owner: id, unit: "coin", amount: 1 })),
            { account: "granted", unit: "coin", amount: -ids.length },
          ]);
        });
        await waitForLockWaiters(1);
        expect(await free(ids)).toEqual(ids.slice(lockedIndex + 1));
        return { posted };
      });
      expect(await posting.posted).toEqual(expect.any(Number));
    }
    for (const id of ids) expect((await readWallet(id)).balanceCoins).toBe(2);
  });

  it("adds up sixty concurrent postings to six wallets", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser()));
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const shuffled = [...users.slice(index % 6), ...users.slice(0, index % 6)];
        if (index % 2 === 0) shuffled.reverse();
        return post("grant", randomUUID(), [
          ...shuffled.map(
            ({ id }): Posting => ({ account: "wallet", owner: id, unit: "coin", amount: 1 }),
          ),
          { account: "granted", unit: "coin", amount: -users.length },
        ]);
      }),
    );
    for (const { id } of users) expect((await readWallet(id)).balanceCoins).toBe(60);
  });

  it("does not lock the wallet of a creator whose earnings change", async () => {
    const creator = await makeUser();
    const debtor = await makeUser();
    const reversal: Posting[] = [
      { account: "payable", owner: creator.id, unit: "cent", amount: -2800 },
      { account: "commission", unit: "cent", amount: 2800 },
    ];
    await whileWalletIsLocked(creator.id, async (free) => {
      expect(await post("forfeit", randomUUID(), reversal)).toEqual(expect.any(Number));
      // The wallet of the creator is not locked even if another wallet is updated.
      await post("forfeit", randomUUID(), [...reversal, ...grant(debtor.id, 4)]);
      expect(await free([creator.id])).toEqual([]);
    });
    expect((await readWallet(debtor.id)).balanceCoins).toBe(4);
  });

  it("locks a wallet when only its debt changes", async () => {
    const debtor = await makeUser();
    const posted = await whileWalletIsLocked(debtor.id, async () => {
      const waiting = post("forfeit", randomUUID(), [
        { account: "owed", owner: debtor.id, unit: "coin", amount: -4 },
        { account: "sold", unit: "coin", amount: 4 },
      ]);
      await waitForLockWaiters(1);
      return { waiting };
    });
    await posted.waiting;
    expect((await readWallet(debtor.id)).owedCoins).toBe(4);
  });
});

describe("lockWallet", () => {
  it("waits until a concurrent change of the wallet is committed", async () => {
    const { id } = await makeUser({ coins: 4 });
    let balance: Promise<number> | undefined;
    await transaction(async (tx) => {
      await postToLedger(tx, "grant", randomUUID(), grant(id, 2));
      balance = transaction(async (other) => (await lockWallet(other, id)).balanceCoins);
      await waitForLockWaiters(1);
    });
    expect(await balance).toBe(6);
  });

  it("does not wait outside a transaction", async () => {
    const { id } = await makeUser({ coins: 4 });
    await transaction(async (tx) => {
      await postToLedger(tx, "grant", randomUUID(), grant(id, 2));
      expect(await readWallet(id)).toMatchObject({ balanceCoins: 4 });
    });
  });
});

describe("readStatement", () => {
  it("has no next page after an exactly full page, and one after a longer list", async () => {
    const { id } = await makeUser();
    for (const amount of [1, 2, 3]) await post("grant", randomUUID(), grant(id, amount));
    const full = await readStatement(id, { limit: 3 });
    expect(full.lines.map((line) => line.amountCoins)).toEqual([3, 2, 1]);
    expect(full.next).toBeNull();

    const firstPage = await readStatement(id, { limit: 2 });
    expect(firstPage.lines.map((line) => line.amountCoins)).toEqual([3, 2]);
    expect(firstPage.next).toBe(firstPage.lines[1]?.id);
    const secondPage = await readStatement(id, { beforeId: firstPage.next ?? 0, limit: 2 });
    expect(secondPage.lines.map((line) => line.amountCoins)).toEqual([1]);
    expect(secondPage.next).toBeNull();
  });

  it("excludes debts and other wallets", async () => {
    const [{ id }, other] = [await makeUser(), await makeUser()];
    await post("grant", randomUUID(), grant(other.id, 5));
    await post("forfeit", randomUUID(), [
      { account: "owed", owner: id, unit: "coin", amount: -3 },
      { account: "forfeited", owner: id, unit: "coin", amount: 3 },
    ]);
    await post("grant", randomUUID(), grant(id, 2));
    expect((await readStatement(id)).lines.map((line) => line.amountCoins)).toEqual([2]);
    expect(await readWallet(id)).toMatchObject({ balanceCoins: 2, owedCoins: 3 });
  });
});

/**
 * Runs the work while another connection locks a wallet. `free` returns the given wallets that are not
 * locked.
 */
async function whileWalletIsLocked<T>(
  userId: string,
  work: (free: (ids: string[]) => Promise<string[]>) => Promise<T>,
): Promise<T> {
  const [holder, probe] = [await pool().connect(), await pool().connect()];
  try {
    await holder.query("begin");
    await holder.query("select 1 from wallets where user_id = $1 for update", [userId]);
    return await work(async (ids) => {
      const { rows } = await probe.query<{ user_id: string }>(
        "select user_id from wallets where user_id = any($1) for update skip locked",
        [ids],
      );
      return rows.map((row) => row.user_id).sort();
    });
  } finally {
    await holder.query("rollback");
    holder.release();
    probe.release();
  }
}
