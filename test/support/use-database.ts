import { afterAll, inject, vi } from "vitest";
import { createTestDatabase } from "./database.ts";

// A worker goes through one test file after another and keeps the libraries it has loaded. The product's
// own modules begin anew in each, with whatever they remember (settings, pools, pages); what a file puts
// into the environment or in the place of something is taken out again behind it.
vi.resetModules();
const environment = { ...process.env };

// Before the test file and anything it imports: they find a database of their own.
const database = await createTestDatabase();
process.env.DATABASE_URL = database.url;
process.env.DATA_DIR = inject("dataDir");

afterAll(async () => {
  const { closeDatabase } = await import("#platform/database.server.ts");
  await closeDatabase();
  await database.drop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
