import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { LIST_PATH } from "#ui/list-path.ts";
import type { BenchServer } from "./bench-server.ts";
import { findBestClients, type Load, sendRequests } from "./http-load.ts";
import { type Comparison, compare, type Measurement } from "./measure.ts";

/** Above this fraction of the client's maximum, a reference measures the client instead of the server. */
const CLIENT_LIMIT = 0.8;
/** The numbers of clients to try for responses rendered on each request, where more clients would only queue. */
const RENDERED_CLIENT_COUNTS = [4, 16];

type Options = { origin: string; cookie: string; seconds: number };

/** Compares responses that are the same for every guest with a bare server sending the same bytes. */
export async function compareCachedResponses(
  server: BenchServer,
  { origin, seconds }: Options,
): Promise<Comparison[]> {
  const rows: Comparison[] = [];
  for (const [work, path] of [
    ["liveness check", "/health/live"],
    ["home for a guest", "/"],
    ["race cards on sale, JSON, a guest", "/api/race-cards"],
    ["venues, JSON", "/api/venues"],
    ["leaderboard, JSON", "/api/leaderboard"],
  ] as const) {
    const url = origin + path;
    const { bytes, encoding, type } = await readCompressedBody(url);
    const file = join(server.dataDir, "response.bytes");
    await writeFile(file, bytes);
    const bare = await startServer(server, "bench/bare-server.ts", [file, type, encoding]);
    const ceiling = await measureCeiling(server, file, seconds);
    const applicationLoad = { clients: await findBestClients(url), seconds };
    const referenceLoad = { clients: await findBestClients(bare.url), seconds };
    const comparison = await compare(
      `${work} (${(bytes.byteLength / 1000).toFixed(1)} kB${encoding && ` ${encoding}`})`,
      "a bare server sending the same bytes",
      () => sendRequests(url, applicationLoad),
      () => sendRequests(bare.url, referenceLoad),
    );
    bare.stop();
    rows.push(markClientLimit(comparison, ceiling));
  }
  return rows;
}

/** Compares home for a user with React alone. */
export async function compareHomeForUser(
  server: BenchServer,
  { origin, cookie, seconds }: Options,
): Promise<Comparison> {
  const react = await startServer(server, "bench/bare-react.ts", [cookie]);
  const applicationLoad = {
    clients: await findBestClients(origin, { cookie }, RENDERED_CLIENT_COUNTS),
    seconds,
  };
  const referenceLoad = {
    clients: await findBestClients(react.url, {}, RENDERED_CLIENT_COUNTS),
    seconds,
  };
  const comparison = await compare(
    "home for a user",
    "React rendering the same tree, nothing else",
    () => sendRequests(`${origin}/`, applicationLoad, { cookie }),
    () => sendRequests(react.url, referenceLoad),
  );
  react.stop();
  return comparison;
}

/** Compares the race cards on sale for a user with a bare server that reads twenty rows. */
export async function compareRaceCardsForUser(
  server: BenchServer,
  { origin, cookie, seconds }: Options,
): Promise<Comparison> {
  const url = `${origin}/api/race-cards`;
  const headers = { cookie };
  const { bytes } = await readCompressedBody(url, headers);
  const bare = await startServer(server, "bench/bare-list.ts", [String(bytes.byteLength)]);
  const applicationLoad = { clients: await findBestClients(url, headers), seconds };
  const referenceLoad = { clients: await findBestClients(bare.url), seconds };
  const comparison = await compare(
    "race cards on sale, JSON, a user",
    "a bare server reading twenty rows, as many bytes",
    () => sendRequests(url, applicationLoad, headers),
    () => sendRequests(bare.url, referenceLoad),
  );
  bare.stop();
  return comparison;
}

/** Returns the highest throughput of the client with responses of these bytes. */
async function measureCeiling(server: BenchServer, file: string, seconds: number): Promise<number> {
  const trivial = await startServer(server, "bench/trivial-server.ts", [file]);
  const clients = await findBestClients(trivial.url);
  const { perSecond } = await sendRequests(trivial.url, { clients, seconds });
  trivial.stop();
  return perSecond;
}

function markClientLimit(comparison: Comparison, ceiling: number): Comparison {
  return {
    ...comparison,
    clientCeiling: ceiling,
    isLimitedByClient: comparison.referenceResult.perSecond >= CLIENT_LIMIT * ceiling,
  };
}

async function startServer(server: BenchServer, file: string, args: string[]) {
  const child = server.start(file, args);
  const [port] = await once(child, "message");
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

const PAGES = [
  ...["/", "/racing-tracks", "/tracks/kenilworth", "/top-analysts", "/leaderboard", "/help"],
  ...["/how-it-works", "/contact", "/login", "/terms", "/privacy"],
];

/** Measures responses per second of each public page for a guest, and of uncached endpoints. */
export async function measureResponses({
  origin,
  cookie,
  load,
}: {
  origin: string;
  cookie: string;
  load: Load;
}): Promise<{ path: string; viewer: string; measured: Measurement }[]> {
  const rows = [];
  for (const path of PAGES)
    rows.push({ path, viewer: "a guest", measured: await sendRequests(origin + path, load) });
  for (const path of [
    LIST_PATH,
    LIST_PATH.replace("/", "/_.data"),
    "/my-day",
    "/my-cards",
    "/profile",
    "/api/me",
    "/api/race-cards",
  ])
    rows.push({
      path,
      viewer: "a user",
      measured: await sendRequests(origin + path, { ...load, clients: 8 }, { cookie }),
    });
  return rows;
}

/** Returns the response body as transferred; fetch() would decompress it. */
async function readCompressedBody(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ bytes: Buffer; encoding: string; type: string }> {
  return await new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "br", ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        resolve({
          bytes: Buffer.concat(parts),
          encoding: response.headers["content-encoding"] ?? "",
          type: response.headers["content-type"] ?? "",
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}
