import { request } from "node:http";
import pg from "pg";
import {
  createSaleGenerator,
  createSessionCookie,
  fillBenchData,
  type Sale,
} from "#test/bench-data.ts";
import { MEASURED_REQUESTS, type SendRequest } from "#test/query-plans.ts";
import { ACCOUNTS, seedHistory } from "#test/seeded-history.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";

/** The p95 latency of one request at each size in ms, and its ratio to the first size. */
export type Growth = { requestName: string; p95: number[]; ratios: number[] };

/** The seconds that a whole download takes at each size. */
export type DownloadTimes = { download: string; seconds: number[] };

type Requests = Record<string, SendRequest>;

/** Downloads of a whole account, whose time may grow with its rows but must stay at seconds. */
const DOWNLOADS: Record<string, { path: string; as?: "popularCreator" | "frequentBuyer" }> = {
  "record, CSV": { path: "/records/bench-popular.csv" },
  "record, JSON": { path: "/records/bench-popular.json" },
  "earnings, CSV": { path: "/tipster-dashboard/earnings.csv", as: "popularCreator" },
  "personal data, JSON": { path: "/profile/data", as: "frequentBuyer" },
};

const WARM_UP_REQUESTS = 5;
const ROUNDS = 5;
const REQUESTS_PER_ROUND = 30;
const BENCH_DATA_SIZE = { buyers: 500, raceCards: 40, creators: 10 };

/**
 * Compares the latency of each request at several database sizes, alternating between servers, and times whole
 * downloads.
 */
export async function measureGrowth(
  sizes: number[],
): Promise<{ rows: Growth[]; downloads: DownloadTimes[] }> {
  const servers: BenchServer[] = [];
  try {
    const requestsByServer: Requests[] = [];
    const downloadsByServer: Requests[] = [];
    for (const size of sizes) {
      const server = await startBenchServer({ durable: false });
      servers.push(server);
      const startedAt = performance.now();
      const { buyers, ...data } = await fillBenchData(
        server.url,
        server.authSecret,
        BENCH_DATA_SIZE,
      );
      await seedHistory(server.superuserUrl, size);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(`${size} sales, ${await readDatabaseSize(server.url)}, filled in ${seconds} s`);
      const nextSale = createSaleGenerator({ buyers, ...data });
      const { requests, downloads } = await startMeasuredServer({ server, nextSale });
      requestsByServer.push(requests);
      downloadsByServer.push(downloads);
    }
    const rows = await compareSizes(requestsByServer);
    return { rows, downloads: await timeDownloads(downloadsByServer) };
  } finally {
    for (const server of servers) await server.close();
  }
}

/** A seeded server and the generator of its sales. */
export type SeededServer = {
  server: Pick<BenchServer, "url" | "authSecret" | "serve">;
  nextSale: () => Sale;
};

/** Sends the same requests to all servers in alternating rounds. Ratios are medians over rounds. */
export async function compareSizes(requestsByServer: Requests[]): Promise<Growth[]> {
  const rows: Growth[] = [];
  for (const requestName of Object.keys(requestsByServer[0] ?? {})) {
    const requests = requestsByServer.map((byName) => byName[requestName] as SendRequest);
    for (let index = 0; index < WARM_UP_REQUESTS; index += 1)
      for (const send of requests) await send();
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const times: number[][] = requests.map(() => []);
      for (let index = 0; index < REQUESTS_PER_ROUND; index += 1)
        for (const [server, send] of requests.entries()) times[server]?.push(await measureMs(send));
      rounds.push(times.map(percentile95));
    }
    const medianBy = (pick: (round: number[]) => number) => median(rounds.map(pick));
    rows.push({
      requestName,
      p95: requests.map((_, index) => medianBy((round) => round[index] ?? Number.NaN)),
      ratios: requests.map((_, index) =>
        medianBy((round) => (round[index] ?? Number.NaN) / (round[0] ?? Number.NaN)),
      ),
    });
  }
  return rows;
}

async function timeDownloads(downloadsByServer: Requests[]): Promise<DownloadTimes[]> {
  const times: DownloadTimes[] = [];
  for (const download of Object.keys(DOWNLOADS)) {
    const seconds: number[] = [];
    for (const byName of downloadsByServer)
      seconds.push((await measureMs(byName[download] as SendRequest)) / 1000);
    times.push({ download, seconds });
  }
  return times;
}

/** Starts a seeded server and returns its measured requests and downloads, once its roll-ups are complete. */
export async function startMeasuredServer({
  server,
  nextSale,
}: SeededServer): Promise<{ requests: Requests; downloads: Requests }> {
  const { origin } = await server.serve();
  await waitForRollUps(server.url);
  const createCookie = (email: string) => createSessionCookie(server.url, server.authSecret, email);
  const cookies = {
    frequentBuyer: await createCookie(ACCOUNTS.frequentBuyer),
    popularCreator: await createCookie(ACCOUNTS.popularCreator),
    admin: await createCookie("admin@furlong.test"),
  };
  const requests: Requests = {
    "open a race card": () => {
      const { buyer, raceCardId } = nextSale();
      const path = `/api/race-cards/${raceCardId}/unlock`;
      return sendRequest(origin, path, { method: "POST", cookie: buyer.cookie });
    },
  };
  for (const [requestName, { path, as }] of Object.entries(MEASURED_REQUESTS))
    requests[requestName] = () => sendRequest(origin, path, { cookie: as && cookies[as] });
  const downloads: Requests = {};
  for (const [download, { path, as }] of Object.entries(DOWNLOADS))
    downloads[download] = () => sendRequest(origin, path, { cookie: as && cookies[as] });
  return { requests, downloads };
}

/** Waits until the totals that pages read include every sale, purchase and result. */
async function waitForRollUps(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ done: boolean }>(
        `select (select coalesce(sum(sales), 0) from standings where month = '0001-01-01')
             = (select count(*) from sales) - (select count(*) from earning_reversals)
           and (select coalesce(sum(sales), 0) from earning_totals) = (select count(*) from sales)
           and (select coalesce(sum(purchases), 0) from purchase_days)
             = (select count(*) from coin_purchases)
           and not exists (select from creator_records where not is_tallied and settled > 0) as done`,
      );
      if (rows[0]?.done) break;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    await client.query("analyze creator_records");
    await client.query("analyze creator_tallies");
  } finally {
    await client.end();
  }
}

async function readDatabaseSize(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ size: string }>(
    "select pg_size_pretty(pg_database_size(current_database())) as size",
  );
  await client.end();
  return rows[0]?.size ?? "";
}

async function measureMs(send: SendRequest): Promise<number> {
  const startedAt = performance.now();
  await send();
  return performance.now() - startedAt;
}

function sendRequest(
  origin: string,
  path: string,
  { method = "GET", cookie }: { method?: string; cookie?: string } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${origin}${path}`, { method, headers: cookie ? { cookie } : {} }, (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${response.statusCode} at ${path}`)),
      );
    })
      .on("error", reject)
      .end();
  });
}

function percentile95(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
