import type { Mutant } from "./mutant.ts";

const LEDGER = "src/wallet/ledger.test.ts";
const POST = { area: "wallet", sqlFunction: "post_to_ledger", tests: [LEDGER] } as const;
const BALANCE = { area: "wallet", sqlFunction: "check_postings_balance", tests: [LEDGER] } as const;
const ACCOUNTS = {
  area: "wallet",
  sqlFunction: "is_valid_posting",
  tests: ["test/sql-guards.test.ts", LEDGER],
} as const;

const SHARE = {
  area: "wallet",
  file: "src/wallet/prices.server.ts",
  tests: ["src/payments/admin/change-price.test.ts"],
} as const;

export const WALLET_MUTANTS: Mutant[] = [
  {
    ...SHARE,
    name: "changes the share of today",
    find: 'if (from < findFirstChangeDate()) return { ok: false, refusal: "too-early" };',
    replace: "",
  },
  {
    ...SHARE,
    name: "changes the share of tomorrow until midnight",
    find: "const NOTICE_MS = 60 * 60 * 1000;",
    replace: "const NOTICE_MS = 0;",
  },
  {
    ...SHARE,
    name: "repeats a change of the share",
    find: 'if (value === previous) return { ok: false, refusal: "unchanged" };',
    replace: "",
  },
  {
    ...SHARE,
    name: "makes concurrent changes of the share together",
    find: "    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('wallet prices'))`);\n",
    replace: "",
  },
  {
    ...SHARE,
    name: "reads the first of several prices from one instant",
    find: ".orderBy(desc(prices.validFrom), desc(prices.id))",
    replace: ".orderBy(desc(prices.validFrom), prices.id)",
  },
  {
    ...POST,
    name: "locks wallets without an order",
    find: "order by user_id for update",
    replace: "order by user_id desc for update",
  },
  {
    ...POST,
    name: "does not lock wallets before it changes them",
    find: "order by user_id for update;",
    replace: "limit 0;",
  },
  {
    ...POST,
    name: "locks wallets for postings that do not change them",
    find: "where posting ->> 'account' in ('wallet', 'owed', 'forfeited'))\n    order by",
    replace: "where posting ->> 'owner' is not null)\n    order by",
  },
  {
    ...POST,
    name: "adds coins to the wallet of a closed account",
    find: "case when w.closed_at is null then r.account else 'forfeited' end",
    replace: "r.account",
    tests: ["test/closed-accounts.test.ts"],
  },
  {
    ...POST,
    name: "throws for a posted reference instead of doing nothing",
    find: "on conflict (kind, reference) do nothing",
    replace: "",
  },
  {
    ...POST,
    name: "does not store the balance after a posting",
    find: "case when p.account = 'wallet' then u.balance_coins end",
    replace: "case when p.account = 'wallet' then 0 end",
  },
  {
    ...POST,
    name: "a repayment increases the owed coins",
    find: "owed_coins = w.owed_coins - coalesce(",
    replace: "owed_coins = w.owed_coins + coalesce(",
  },
  {
    ...POST,
    name: "a posting of owed coins also changes the balance",
    find: "(select sum(amount) from postings where account = 'wallet' and owner = w.user_id), 0),",
    replace: "(select sum(amount) from postings where owner = w.user_id), 0),",
  },
  {
    ...BALANCE,
    name: "balances coins against cents",
    find: "coalesce(sum(p.amount) filter (where p.unit = 'coin'), 0) = 0",
    replace: "true",
  },
  {
    ...BALANCE,
    name: "accepts postings whose sum is not zero",
    find: "sum(p.amount) <> 0",
    replace: "false",
  },
  ...(
    [
      ["wallet", "owner_id is not null and coalesce(balance_after, -1) >= 0"],
      ["payable", "owner_id is not null and balance_after is null"],
    ] as const
  ).map(
    ([account, owner]): Mutant => ({
      ...ACCOUNTS,
      name: `${account} accepts postings without an owner`,
      find: `when '${account}' then unit = '${account === "wallet" ? "coin" : "cent"}' and ${owner}`,
      replace: `when '${account}' then unit = '${account === "wallet" ? "coin" : "cent"}'`,
    }),
  ),
  {
    ...ACCOUNTS,
    name: "accepts an unknown account",
    find: "else false",
    replace: "else true",
  },
  {
    area: "wallet",
    name: "a statement repeats the last line of a page on the next page",
    file: "src/wallet/ledger.server.ts",
    find: "lt(ledgerPostings.id, beforeId)",
    replace: "lt(ledgerPostings.id, beforeId + 1)",
    tests: [LEDGER],
  },
  {
    area: "wallet",
    name: "a full last page of a statement has a next page",
    file: "src/platform/keyset-paging.server.ts",
    find: "rows.length > limit ?",
    replace: "rows.length >= limit ?",
    tests: [LEDGER],
  },
  {
    area: "wallet",
    name: "a statement skips the first line of the next page",
    file: "src/platform/keyset-paging.server.ts",
    find: "const last = page.at(-1);",
    replace: "const last = rows.at(-1);",
    tests: [LEDGER],
  },
  {
    area: "wallet",
    name: "a statement includes owed coins",
    file: "src/wallet/ledger.server.ts",
    find: 'eq(ledgerPostings.account, "wallet"),',
    replace: "",
    tests: [LEDGER, "src/payments/apply-refund-or-dispute.test.ts"],
  },
  {
    area: "wallet",
    name: "does not lock a wallet that is read for a change",
    file: "src/wallet/wallets.server.ts",
    find: '.for("update");\n  return',
    replace: ";\n  return",
    tests: [
      "src/payments/apply-refund-or-dispute.test.ts",
      "src/payments/fulfil-purchase.test.ts",
      LEDGER,
    ],
  },
  {
    area: "wallet",
    name: "claims an account without a lock on its wallet",
    file: "src/wallet/wallets.server.ts",
    find: '.for("update");\n  const rows',
    replace: ".limit(0);\n  const rows",
    tests: ["src/wallet/wallets.test.ts"],
  },
  {
    area: "wallet",
    name: "does not unfreeze a wallet",
    file: "src/wallet/wallets.server.ts",
    find: "frozen ? now() : null",
    replace: "now()",
    tests: ["src/payments/apply-refund-or-dispute.test.ts"],
  },
];
