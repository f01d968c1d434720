import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#platform/embedded-postgres.server.ts";
import { fetchPage } from "./home.ts";
import { type Comparison, compare } from "./measure.ts";
import { unlockInDatabase, unlockOverHttp } from "./unlock.ts";
import { fillWorld, pairs } from "./world.ts";

const SECONDS = 4;
const CLIENTS = [1, 8, 32, 128];
const PORT = 3900 + Math.floor(Math.random() * 90);
const ORIGIN = `http://127.0.0.1:${PORT}`;
const AUTH_SECRET = "bench-secret-bench-secret-bench-secret";

const dataDir = await mkdtemp(join(tmpdir(), "furlong-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir });
const children: ChildProcess[] = [];
try {
  Object.assign(process.env, {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: String(PORT),
    AUTH_SECRET,
    NODE_ENV: "production",
  });
  console.log("Preparing a database with the demo's world and the buyers of the run …");
  await run("bin/prepare.ts");
  const world = await fillWorld(postgres.url, AUTH_SECRET, {
    buyers: 2_000,
    raceCards: 400,
    creators: 100,
  });
  const next = pairs(world);
  const server = start("bin/web-process.ts");
  server.send({ port: PORT, host: "127.0.0.1", runsJobs: true });
  await once(server, "message");

  const comparisons: Comparison[] = [];
  for (const clients of CLIENTS) {
    const load = { clients, seconds: SECONDS };
    console.log(`Opening cards, ${clients} client${clients === 1 ? "" : "s"} …`);
    comparisons.push(
      await compare(
        `open a card over HTTP, ${clients} clients`,
        "the database function alone",
        () => unlockOverHttp(ORIGIN, next, load),
        () => unlockInDatabase(postgres.url, next, load),
      ),
    );
  }

  console.log("Home for a guest …");
  const home = await fetch(ORIGIN, { headers: { "accept-encoding": "br" } });
  const encoding = home.headers.get("content-encoding") ?? "identity";
  const bytes = await rawBytes(ORIGIN);
  const file = join(dataDir, "home.bytes");
  await writeFile(file, bytes);
  const bare = start("bench/bare-server.ts", [file, encoding]);
  const [barePort] = await once(bare, "message");
  const load = { clients: 32, seconds: SECONDS };
  comparisons.push(
    await compare(
      `home for a guest (${(bytes.byteLength / 1000).toFixed(1)} kB ${encoding})`,
      "a bare server sending the same bytes",
      () => fetchPage(`${ORIGIN}/`, load),
      () => fetchPage(`http://127.0.0.1:${barePort}/`, load),
    ),
  );
  print(comparisons);
} finally {
  for (const child of children) child.kill("SIGTERM");
  await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function start(file: string, args: string[] = []): ChildProcess {
  const child = fork(file, args);
  children.push(child);
  return child;
}

async function run(file: string): Promise<void> {
  const child = fork(file, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}

/** The answer as it travels: fetch() would unpack it. */
async function rawBytes(url: string): Promise<Buffer> {
  const { request } = await import("node:http");
  return await new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "br" } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => resolve(Buffer.concat(parts)));
    })
      .on("error", reject)
      .end();
  });
}

function print(comparisons: Comparison[]): void {
  const round = (value: number) => Math.round(value * 100) / 100;
  console.log(`\n${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}\n`);
  console.table(
    comparisons.map((each) => ({
      work: each.work,
      against: each.reference,
      ratio: round(each.ratio),
      "p99 ratio": round(each.p99Ratio),
      "ours/s": Math.round(each.ours.perSecond),
      "theirs/s": Math.round(each.theirs.perSecond),
      "ours p50 ms": round(each.ours.p50),
      "ours p99 ms": round(each.ours.p99),
      "theirs p99 ms": round(each.theirs.p99),
    })),
  );
}
