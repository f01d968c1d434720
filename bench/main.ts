import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import { buildIfStale } from "#bin/build.ts";
import {
  type BenchData,
  createSaleGenerator,
  createSessionCookie,
  fillBenchData,
  type Sale,
} from "#test/bench-data.ts";
import { type BenchServer, removeTemporaryDatabases, startBenchServer } from "./bench-server.ts";
import { compareContention, compareProcesses, measureLive } from "./contention.ts";
import { measureGrowth } from "./growth.ts";
import { CLIENT_DESCRIPTION } from "./http-load.ts";
import { compareLog } from "./log.ts";
import type { Comparison } from "./measure.ts";
import {
  compareCachedResponses,
  compareHomeForUser,
  compareRaceCardsForUser,
  measureResponses,
} from "./pages.ts";
import { measureBytes, measureInteractions } from "./phone.ts";
import { measureStart } from "./start.ts";
import { compareUnlocks } from "./unlock.ts";
import { DATABASE_CLIENT } from "./unlock-load.ts";

const SECONDS = 2;

const { values: options } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    sales: { type: "string", multiple: true, default: ["10000", "1000000"] },
  },
});
type Product = {
  server: BenchServer;
  origin: string;
  data: BenchData;
  /** Generates distinct sales for the whole run. */
  next: () => Sale;
  cookie: string;
};
const load = { clients: 32, seconds: SECONDS };

/** The benchmarks by their `--only` name. */
const sections: Record<string, (product: Product) => Promise<unknown>> = {
  async unlock({ server, origin, next }) {
    console.log(`In the database: ${DATABASE_CLIENT}`);
    printComparisons(await compareUnlocks(server.url, { origin, next, seconds: SECONDS }));
  },
  async pages({ server, origin, cookie }) {
    const params = { origin, cookie, seconds: SECONDS };
    printComparisons(await compareCachedResponses(server, params));
    printComparisons([await compareHomeForUser(server, params)]);
    const rows = await measureResponses({ origin, cookie, load });
    console.table(
      rows.map(({ path, viewer, measured }) => ({
        path,
        viewer,
        "responses/s": Math.round(measured.perSecond),
        "p99 ms": round(measured.p99),
      })),
    );
  },
  async list({ server, origin, cookie }) {
    printComparisons([await compareRaceCardsForUser(server, { origin, cookie, seconds: SECONDS })]);
    console.log(`The standings query in SQL: ${round(await timeStandings(server.url))} ms`);
  },
  async contention({ server, origin, data, next }) {
    printComparisons(await compareContention(server, { origin, data, next, load }));
  },
  async log({ server, origin, next }) {
    printComparisons(await compareLog(server, { origin, next, load }));
  },
  async processes({ server, origin, cookie }) {
    printComparisons([
      await compareProcesses(server, {
        origin,
        cookie,
        load: { clients: 8, seconds: SECONDS * 2 },
      }),
    ]);
  },
  async live({ server, origin, next }) {
    const { p50, p99, max } = await measureLive(server, { origin, next, viewerCount: 1_000 });
    console.log(
      `From a sale to 1,000 viewers on two web processes: p50 ${round(p50)} ms, p99 ${round(p99)} ms, max ${round(max)} ms`,
    );
  },
  async start({ server, cookie }) {
    const { listeningMs, firstPageMs, idleMb, underLoadMb } = await measureStart(server, cookie);
    console.log(
      `A web process listens after ${round(listeningMs)} ms, sends its first page after ${round(firstPageMs)} ms, and uses ${round(idleMb)} MB idle and ${round(underLoadMb)} MB after 5 s of 32 clients`,
    );
  },
  async phone({ server, origin, next, cookie: punter }) {
    const createCookie = (name: string) =>
      createSessionCookie(server.url, server.authSecret, `${name}@furlong.test`);
    const [tipster, admin] = await Promise.all([createCookie("tipster"), createCookie("admin")]);
    const params = { origin, cookies: { punter, tipster, admin }, next };
    const pages = await measureInteractions(params);
    console.table(
      pages.map(({ page, interactions }) => {
        const sorted = interactions.toSorted((one, other) => other.ms - one.ms);
        const worst = sorted[0] ?? { step: "none", ms: Number.NaN };
        const p98 = sorted[Math.floor(sorted.length * 0.02)]?.ms ?? Number.NaN;
        return {
          page,
          interactions: sorted.length,
          "worst ms": worst.ms,
          "worst step": worst.step,
          "p98 ms": p98,
          "p98 / 200 ms": round(p98 / 200),
        };
      }),
    );
    const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10;
    console.table(
      (await measureBytes(params)).map(({ page, html, firstVisit, secondVisit }) => ({
        page,
        "HTML kB": kilobytes(html),
        "first visit kB": kilobytes(firstVisit),
        "second visit kB": kilobytes(secondVisit),
      })),
    );
  },
};

await removeTemporaryDatabases();
await buildIfStale();
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}`);
console.log(CLIENT_DESCRIPTION);
const selectedSections = Object.entries(sections).filter(
  ([name]) => options.only?.includes(name) ?? options.only === undefined,
);
if (selectedSections.length > 0) await measure(selectedSections);
if (options.full || options.only?.includes("growth")) await runGrowthBenchmark();
process.exit(0);

async function measure(sectionsToRun: typeof selectedSections): Promise<void> {
  console.log("Preparing a database with the demo data and the buyers of the run …");
  const server = await startBenchServer();
  try {
    const data = await fillBenchData(server.url, server.authSecret, {
      buyers: 8_000,
      raceCards: 200,
      creators: 10,
    });
    const next = createSaleGenerator(data);
    const cookie = await createSessionCookie(server.url, server.authSecret, "punter@furlong.test");
    // Jobs run in a separate process when they are measured.
    const { origin } = await server.serve({ runsJobs: false });
    for (const [name, section] of sectionsToRun) {
      console.log(`\n${name} (load average ${round(loadavg()[0] ?? 0)})`);
      await section({ server, origin, data, next, cookie });
    }
  } finally {
    await server.close();
  }
}

async function runGrowthBenchmark(): Promise<void> {
  const sizes = options.sales.map(Number);
  console.log("\ngrowth: filling the databases …");
  const { rows, downloads } = await measureGrowth(sizes);
  console.table(
    rows.map(({ requestName, p95, ratios }) => ({
      request: requestName,
      ...Object.fromEntries(
        sizes.map((size, index) => [`p95 ms at ${size}`, round(p95[index] ?? 0)]),
      ),
      ...Object.fromEntries(
        sizes.slice(1).map((size, index) => [`ratio at ${size}`, round(ratios[index + 1] ?? 0)]),
      ),
    })),
  );
  console.table(
    downloads.map(({ download, seconds }) => ({
      download,
      ...Object.fromEntries(
        sizes.map((size, index) => [`seconds at ${size}`, round(seconds[index] ?? 0)]),
      ),
    })),
  );
}

async function timeStandings(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const times: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    const startedAt = performance.now();
    await client.query({
      name: "standings",
      text: `select k.slug, s.sales, s.coins_earned from standings s
        join creators k on k.user_id = s.creator_id
        join creator_records n on n.creator_id = s.creator_id
        where s.month = '0001-01-01' and k.suspended_at is null
        order by s.sales * 50 + s.coins_earned * 5 + n.tips * 20 desc limit 5`,
    });
    times.push(performance.now() - startedAt);
  }
  await client.end();
  return times.sort((one, other) => one - other)[100] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function printComparisons(comparisons: Comparison[]): void {
  console.table(
    comparisons.map((each) => ({
      work: each.work,
      reference: each.reference,
      ratio: `${round(each.ratio)}${each.isLimitedByClient ? " limited by the client" : ""}`,
      "p99 ratio": round(each.p99Ratio),
      "application/s": Math.round(each.applicationResult.perSecond),
      "reference/s": Math.round(each.referenceResult.perSecond),
      ...(each.clientCeiling ? { "client ceiling/s": Math.round(each.clientCeiling) } : {}),
      "application p50 ms": round(each.applicationResult.p50),
      "application p99 ms": round(each.applicationResult.p99),
      "reference p99 ms": round(each.referenceResult.p99),
    })),
  );
}
