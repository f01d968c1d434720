import { afterAll, inject } from "vitest";
import { freshDatabase } from "./database.ts";

// Before the test file and anything it imports: they find a database of their own.
const database = await freshDatabase();
process.env.DATABASE_URL = database.url;
process.env.DATA_DIR = inject("dataDir");

afterAll(async () => {
  const { closeDatabase } = await import("#platform/database.server.ts");
  await closeDatabase();
  await database.drop();
});
