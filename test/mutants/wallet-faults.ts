import type { Fault } from "./fault.ts";

const LEDGER = "src/wallet/post-to-ledger.test.ts";
const POST = { area: "wallet", sqlFunction: "post_to_ledger", tests: [LEDGER] } as const;
const BALANCE = { area: "wallet", sqlFunction: "check_postings_balance", tests: [LEDGER] } as const;
const ACCOUNTS = {
  area: "wallet",
  sqlFunction: "is_valid_posting",
  tests: ["test/sql-guards.test.ts", LEDGER],
} as const;

export const WALLET_FAULTS: Fault[] = [
  {
    ...POST,
    name: "wallets are locked in no order",
    find: "order by user_id for update",
    replace: "order by user_id desc for update",
  },
  {
    ...POST,
    name: "wallets are not locked before they move",
    find: "order by user_id for update;",
    replace: "limit 0;",
  },
  {
    ...POST,
    name: "wallets are locked for postings that do not move them",
    find: "where posting ->> 'account' in ('wallet', 'owed'))\n    order by",
    replace: "where posting ->> 'owner' is not null)\n    order by",
  },
  {
    ...POST,
    name: "a reference that was posted before fails instead of doing nothing",
    find: "on conflict (kind, reference) do nothing",
    replace: "",
  },
  {
    ...POST,
    name: "the balance after a posting is not kept",
    find: "case when p.account = 'wallet' then u.balance_coins end",
    replace: "case when p.account = 'wallet' then 0 end",
  },
  {
    ...POST,
    name: "what is owed grows when it is repaid",
    find: "owed_coins = w.owed_coins - coalesce(",
    replace: "owed_coins = w.owed_coins + coalesce(",
  },
  {
    ...POST,
    name: "a posting of what is owed moves the balance too",
    find: "(select sum(amount) from postings where account = 'wallet' and owner = w.user_id), 0),",
    replace: "(select sum(amount) from postings where owner = w.user_id), 0),",
  },
  {
    ...BALANCE,
    name: "one posting alone balances",
    find: "count(*) < 2",
    replace: "count(*) < 1",
    noEffect: "a single posting has an amount other than zero, so its sum is not zero either",
  },
  {
    ...BALANCE,
    name: "coins balance against cents",
    find: "group by transaction_id, unit having",
    replace: "group by transaction_id having",
  },
  {
    ...BALANCE,
    name: "postings need not add up",
    find: "sum(amount) <> 0",
    replace: "false",
  },
  ...(
    [
      ["wallet", "owner_id is not null and balance_after is not null"],
      ["payable", "owner_id is not null and balance_after is null"],
    ] as const
  ).map(
    ([account, owner]): Fault => ({
      ...ACCOUNTS,
      name: `${account} postings of nobody are taken`,
      find: `when '${account}' then unit = '${account === "wallet" ? "coin" : "cent"}' and ${owner}`,
      replace: `when '${account}' then unit = '${account === "wallet" ? "coin" : "cent"}'`,
    }),
  ),
  {
    ...ACCOUNTS,
    name: "any account is taken",
    find: "else false",
    replace: "else true",
  },
  {
    area: "wallet",
    name: "a statement repeats the line where a page ends",
    file: "src/wallet/read-statement.server.ts",
    find: "lt(ledgerPostings.id, beforeId)",
    replace: "lt(ledgerPostings.id, beforeId + 1)",
    tests: [LEDGER],
  },
  {
    area: "wallet",
    name: "a full last page of a statement promises another",
    file: "src/wallet/read-statement.server.ts",
    find: "rows.length > limit ?",
    replace: "rows.length >= limit ?",
    tests: [LEDGER],
  },
  {
    area: "wallet",
    name: "a statement leaves out the line after a page",
    file: "src/wallet/read-statement.server.ts",
    find: "(lines.at(-1)?.id ?? null)",
    replace: "(rows.at(-1)?.id ?? null)",
    tests: [LEDGER],
  },
  {
    area: "wallet",
    name: "a statement holds what is owed as well",
    file: "src/wallet/read-statement.server.ts",
    find: 'eq(ledgerPostings.account, "wallet"),',
    replace: "",
    tests: [LEDGER, "src/payments/apply-refund-or-dispute.test.ts"],
  },
  {
    area: "wallet",
    name: "a wallet that is read for a change is not locked",
    file: "src/wallet/read-wallet.server.ts",
    find: 'tx ? await query.for("update") : await query',
    replace: "await query",
    tests: [
      "src/payments/apply-refund-or-dispute.test.ts",
      "src/payments/fulfil-purchase.test.ts",
      LEDGER,
    ],
  },
  {
    area: "wallet",
    name: "an account is taken over without a lock on its wallet",
    file: "src/wallet/untouched-wallet.server.ts",
    find: '.for("update");',
    replace: ".limit(0);",
    tests: ["src/wallet/untouched-wallet.test.ts"],
  },
  {
    area: "wallet",
    name: "a frozen wallet is not thawed",
    file: "src/wallet/set-wallet-frozen.server.ts",
    find: "frozen ? now() : null",
    replace: "now()",
    tests: ["src/payments/apply-refund-or-dispute.test.ts"],
  },
];
