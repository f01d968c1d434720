import { afterAll, inject, vi } from "vitest";
import { createTestDatabase } from "./database.ts";

// A worker runs many test files and caches loaded libraries. The application's own modules are loaded
// again for each file, with fresh state (settings, pools, pages). Changes to the environment and
// stubs are reverted after each file.
vi.resetModules();
const environment = { ...process.env };

// Must be set before the test file and its imports are loaded.
const database = await createTestDatabase();
process.env.DATABASE_URL = database.url;
process.env.DATA_DIR = inject("dataDir");

// A busy machine must not decide a test. Tests of outages set the limits that they need.
const { databaseLimits } = await import("#platform/database.server.ts");
Object.assign(databaseLimits, {
  connectMs: 60_000,
  idleTransactionMs: 60_000,
  statementMs: 60_000,
});

// Hashes of one pass over 8 KiB. `password-hash.test.ts` tests the cost of those in production.
const { hashCost } = await import("#accounts/password/hash-cost.ts");
Object.assign(hashCost, { memory: 8, passes: 1 });

const { startTestClock } = await import("./test-clock.ts");
startTestClock();

afterAll(async () => {
  const { closeDatabase } = await import("#platform/database.server.ts");
  await closeDatabase();
  await database.drop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
