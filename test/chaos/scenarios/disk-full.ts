import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { comesTrue } from "#test/concurrency.ts";
import { connect, connections } from "../database-server.ts";
import { Load } from "../load.ts";
import { Web } from "../product-server.ts";
import { type Arena, expectThat, type Trial } from "../scenario.ts";

const SIZE_MB = 64;
const FULL_MS = 5_000;
const BACK_WITHIN_MS = 10_000;

/** The disk with the tables is full: nothing is sold and everybody is told to come later, until there is room. */
export const diskFull: Trial = {
  name: "disk-full",
  fullOnly: true,
  alone: true,
  async breakIt({ db, database }) {
    await db.query(`alter database ${database.name} set synchronous_commit = off`);
    // What could not be written is said to be: the sale is left out.
    await db.query(
      `create function skip() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger sales_skip before insert on sales for each row execute function skip()`,
    );
  },
  async run(arena) {
    const disk = mountSmallDisk(arena);
    if (!disk)
      return { did: "", figure: "", problems: [], skipped: "no small disk can be made here" };
    let web: Web | null = null;
    try {
      await arena.web.stop();
      const admin = await connect(arena.records.adminUrlOf("postgres"));
      await admin.query(`create tablespace small location '${disk}'`);
      await admin.end();
      await moveTo(arena, "small");
      web = await Web.start(arena.environment);
      const problems: string[] = [];
      arena.db = connections(arena.records.adminUrlOf(arena.database.name));
      const load = await Load.begin({ ...arena, web }, { payments: 10 });
      await comesTrue(() => load.told.length > 50, 20_000);
      const filler = join(disk, "filler");
      const { bavail, bsize } = statfsSync(disk);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch {} // somebody sold something meanwhile: full it is
      const isNoticed = await comesTrue(
        () => load.told.some(({ status }) => status === 503),
        60_000,
      );
      await sleep(FULL_MS);
      rmSync(filler);
      const backAt = performance.now();
      const isBack = await comesTrue(
        async () => (await load.open()).status === 200,
        BACK_WITHIN_MS,
      );
      const backMs = Math.round(performance.now() - backAt);
      await load.stop();
      expectThat(problems, isNoticed, "nobody was refused, however full it was");
      expectThat(problems, isBack, `no card could be opened for ${BACK_WITHIN_MS} ms`);
      problems.push(...load.faults(2_000), ...(await load.lost()));
      const refused = load.told.filter(({ status }) => status === 503).length;
      return {
        did: `the disk with the tables full for ${FULL_MS / 1000} s under load`,
        figure: `${load.told.length} answers, ${refused} × 503; first card ${backMs} ms after there was room`,
        problems,
      };
    } finally {
      await web?.stop();
      await moveTo(arena, "pg_default");
      const admin = await connect(arena.records.adminUrlOf("postgres"));
      await admin.query("drop tablespace small");
      await admin.end();
      execFileSync("umount", [disk]);
    }
  },
};

/** A disk in memory that the database server may write to; null where that cannot be had. */
function mountSmallDisk({ records }: Arena): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const disk = join(records.dataDir, "small-disk");
  try {
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MB}m`, "tmpfs", disk], {
      stdio: "ignore",
    });
    const { uid, gid } = statSync(records.cluster);
    chownSync(disk, uid, gid);
    return disk;
  } catch {
    return null;
  }
}

/** Nobody may be connected to it meanwhile. */
async function moveTo({ records, database, db }: Arena, tablespace: string): Promise<void> {
  await db.end();
  const admin = await connect(records.adminUrlOf("postgres"));
  await admin.query(`alter database ${database.name} set tablespace ${tablespace}`);
  await admin.end();
}
