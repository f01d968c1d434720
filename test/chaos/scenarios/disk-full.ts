import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "#test/concurrency.ts";
import { AppServer } from "../app-server.ts";
import { connectClient, createPool } from "../database-server.ts";
import { Load } from "../load.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";

const DISK_SIZE_MB = 64;
const FULL_MS = 5_000;
const MAX_RECOVERY_MS = 10_000;

/** Fills the disk that stores the tables: writes get 503 until space is freed. */
export const diskFull: Scenario = {
  name: "disk-full",
  fullOnly: true,
  isExclusive: true,
  async injectFault({ db, database }) {
    await db.query(`alter database ${database.name} set synchronous_commit = off`);
    // Sales are acknowledged without being stored.
    await db.query(
      `create function skip() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger sales_skip before insert on sales for each row execute function skip()`,
    );
  },
  async run(environment) {
    const disk = mountSmallDisk(environment);
    if (!disk)
      return {
        description: "",
        measurement: "",
        problems: [],
        skipped: "a small disk cannot be mounted here",
      };
    let web: AppServer | null = null;
    try {
      await environment.web.stop();
      const admin = await connectClient(environment.databaseServer.getSuperuserUrl("postgres"));
      await admin.query(`create tablespace small location '${disk}'`);
      await admin.end();
      await moveDatabase(environment, "small");
      web = await AppServer.start(environment.processEnv);
      const problems: string[] = [];
      environment.db = createPool(
        environment.databaseServer.getSuperuserUrl(environment.database.name),
      );
      const load = await Load.start({ ...environment, web }, { payments: 10 });
      await waitUntil(() => load.responses.length > 50, 20_000);
      const filler = join(disk, "filler");
      const { bavail, bsize } = statfsSync(disk);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch {} // a sale has used the remaining space
      const hasRefused = await waitUntil(
        () => load.responses.some(({ status }) => status === 503),
        60_000,
      );
      await sleep(FULL_MS);
      rmSync(filler);
      const restoredAt = performance.now();
      const hasRecovered = await waitUntil(
        async () => (await load.unlockNext()).status === 200,
        MAX_RECOVERY_MS,
      );
      const recoveryMs = Math.round(performance.now() - restoredAt);
      await load.stop();
      expectThat(problems, hasRefused, "no request was refused while the disk was full");
      expectThat(
        problems,
        hasRecovered,
        `no race card could be unlocked for ${MAX_RECOVERY_MS} ms`,
      );
      problems.push(...load.findUnexpectedResponses(2_000), ...(await load.findLostWrites()));
      const refused = load.responses.filter(({ status }) => status === 503).length;
      return {
        description: `the disk with the tables full for ${FULL_MS / 1000} s under load`,
        measurement: `${load.responses.length} responses, ${refused} × 503; first unlock ${recoveryMs} ms after space was freed`,
        problems,
      };
    } finally {
      await web?.stop();
      await moveDatabase(environment, "pg_default");
      const admin = await connectClient(environment.databaseServer.getSuperuserUrl("postgres"));
      await admin.query("drop tablespace small");
      await admin.end();
      execFileSync("umount", [disk]);
    }
  },
};

/**
 * Mounts a tmpfs that the database server may write to; null when this machine does not allow it.
 */
function mountSmallDisk({ databaseServer }: Environment): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const disk = join(databaseServer.dataDir, "small-disk");
  try {
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_SIZE_MB}m`, "tmpfs", disk], {
      stdio: "ignore",
    });
    const { uid, gid } = statSync(databaseServer.cluster);
    chownSync(disk, uid, gid);
    return disk;
  } catch {
    return null;
  }
}

/** Moves the database to a tablespace, which requires that no client is connected. */
async function moveDatabase(
  { databaseServer, database, db }: Environment,
  tablespace: string,
): Promise<void> {
  await db.end();
  const admin = await connectClient(databaseServer.getSuperuserUrl("postgres"));
  await admin.query(`alter database ${database.name} set tablespace ${tablespace}`);
  await admin.end();
}
