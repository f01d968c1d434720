import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import autocannon from "autocannon";
import type { BenchServer } from "./bench-server.ts";
import { type Comparison, compare, type Measurement } from "./measure.ts";

type Load = { clients: number; seconds: number };

/** Requests a URL repeatedly; an error response ends the run. */
export async function send(
  url: string,
  { clients, seconds }: Load,
  headers: Record<string, string> = {},
): Promise<Measurement> {
  const result = await autocannon({
    url,
    connections: clients,
    duration: seconds,
    headers: { "accept-encoding": "br", ...headers },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors at ${url}`);
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Compares home for a guest with a bare server sending the same bytes, and for a user with React alone. */
export async function comparePages(
  server: BenchServer,
  { origin, cookie, load }: { origin: string; cookie: string; load: Load },
): Promise<Comparison[]> {
  const { bytes, encoding } = await asSent(origin);
  const file = join(server.dataDir, "home.bytes");
  await writeFile(file, bytes);
  // Personalised pages are slow to render: more clients would only queue.
  const few = { clients: 4, seconds: load.seconds * 2 };
  const [bare] = await once(server.start("bench/bare-server.ts", [file, encoding]), "message");
  const [react] = await once(server.start("bench/bare-react.ts", [cookie]), "message");
  return [
    await compare(
      `home for a guest (${(bytes.byteLength / 1000).toFixed(1)} kB ${encoding})`,
      "a bare server sending the same bytes",
      () => send(`${origin}/`, load),
      () => send(`http://127.0.0.1:${bare}/`, load),
    ),
    await compare(
      "home for a user",
      "React rendering the same tree, nothing else",
      () => send(`${origin}/`, few, { cookie }),
      () => send(`http://127.0.0.1:${react}/`, few),
    ),
  ];
}

const PAGES = [
  ...["/", "/racing-tracks", "/tracks/kenilworth", "/top-analysts", "/leaderboard", "/help"],
  ...["/how-it-works", "/contact", "/login", "/terms", "/privacy"],
];

/** Measures responses per second of each public page for a guest, and of uncached endpoints. */
export async function countAnswers({
  origin,
  cookie,
  load,
}: {
  origin: string;
  cookie: string;
  load: Load;
}): Promise<{ address: string; who: string; measured: Measurement }[]> {
  const rows = [];
  for (const address of PAGES)
    rows.push({ address, who: "a guest", measured: await send(origin + address, load) });
  for (const address of ["/_.data", "/my-cards", "/profile", "/api/me", "/api/race-cards"])
    rows.push({
      address,
      who: "a user",
      measured: await send(origin + address, { ...load, clients: 4 }, { cookie }),
    });
  for (const address of ["/api/leaderboard", "/api/venues", "/health/live"])
    rows.push({ address, who: "a guest", measured: await send(origin + address, load) });
  return rows;
}

/** Returns the response body as transferred; fetch() would decompress it. */
async function asSent(url: string): Promise<{ bytes: Buffer; encoding: string }> {
  return await new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "br" } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        resolve({
          bytes: Buffer.concat(parts),
          encoding: response.headers["content-encoding"] ?? "identity",
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}
