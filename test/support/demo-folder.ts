import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "#platform/ports.server.ts";
import {
  installEmbeddedPostgresCopy,
  startEmbeddedPostgres,
} from "#platform/postgres/embedded-postgres.server.ts";
import { makeDataFolder } from "./data-folder.ts";
import { startServer } from "./server-process.ts";

/** Matches the files of the database, which is copied separately with its permissions, and lock files. */
const NOT_COPIED = /^postgres|\.lock$/;

/** Creates the data that `copyDemoFolder` copies, by starting a server once on an empty data folder. */
export async function createDemoFolder(): ReturnType<typeof makeDataFolder> {
  const folder = await makeDataFolder();
  try {
    // The server uses and stops this database, which does not flush each commit to disk.
    await startEmbeddedPostgres({ dataDir: folder.dataDir, durable: false });
    const variables = { PORT: String(await findFreePort()), DATA_DIR: folder.dataDir };
    await (await startServer(variables)).stop();
    return folder;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/**
 * Creates a data folder with the demo's people and 60 days of history, whose clock goes on from that of the copied
 * folder. Copies the folder in DEMO_FOLDER, because a first start takes 40 s of CPU time to create them.
 */
export async function copyDemoFolder(): ReturnType<typeof makeDataFolder> {
  const source = process.env.DEMO_FOLDER ?? "";
  const folder = await makeDataFolder();
  for (const name of readdirSync(source).filter((entry) => !NOT_COPIED.test(entry)))
    cpSync(join(source, name), join(folder.dataDir, name), { recursive: true });
  const record = join(source, "postgres.json");
  const { cluster } = JSON.parse(readFileSync(record, "utf8"));
  installEmbeddedPostgresCopy(folder.dataDir, { cluster, record });
  return folder;
}
