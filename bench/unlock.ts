import { randomUUID } from "node:crypto";
import autocannon from "autocannon";
import pg from "pg";
import type { Sale } from "#test/bench-data.ts";
import type { Measurement } from "./measure.ts";

type NextPair = () => Sale;

/** Unlocks race cards by the database function only, prepared, on several connections. */
export async function unlockInDatabase(
  url: string,
  next: NextPair,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Measurement> {
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    connections.map(async (client) => {
      while (performance.now() < endsAt) {
        const { buyer, raceCardId } = next();
        const startedAt = performance.now();
        const { rows } = await client.query({
          name: "unlock",
          text: "select outcome from unlock_race_card($1, $2, null, $3)",
          values: [buyer.id, raceCardId, new Date()],
        });
        if (rows[0]?.outcome !== "opened") throw new Error(`refused: ${rows[0]?.outcome}`);
        latencies.push(performance.now() - startedAt);
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  await Promise.all(connections.map((client) => client.end()));
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99) };
}

/** Unlocks race cards over HTTP, each with the buyer's own session. */
export async function unlockOverHttp(
  origin: string,
  next: NextPair,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Measurement> {
  const result = await autocannon({
    url: origin,
    connections: clients,
    duration: seconds,
    requests: [
      {
        method: "POST",
        setupRequest: (request) => {
          const { buyer, raceCardId } = next();
          return {
            ...request,
            path: `/api/race-cards/${raceCardId}/unlock`,
            // The same headers as a request from the application's page.
            headers: {
              cookie: buyer.cookie,
              "accept-encoding": "br",
              "content-type": "application/json",
              "idempotency-key": randomUUID(),
            },
            body: '{"racesRun":0}',
          };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors over HTTP`);
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
