import { spawnSync } from "node:child_process";

/** What the product survives: storms on one wallet and card, payments in every order, outages. */
const FAULTS_AND_LOAD = [
  "src/race-cards/unlock-race-card.test.ts",
  "src/wallet/post-to-ledger.test.ts",
  "src/leaderboard/roll-up-standings.test.ts",
  "src/payments/fulfil-purchase.test.ts",
  "src/payments/stripe-webhook.route.test.ts",
  "src/books/read-books.test.ts",
  "test/away.test.ts",
];

const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "integration", ...FAULTS_AND_LOAD],
  { stdio: "inherit" },
);
process.exit(status ?? 1);
