import { randomUUID } from "node:crypto";
import autocannon from "autocannon";
import type { Sale } from "#test/bench-data.ts";
import { type Comparison, compare, type Measurement } from "./measure.ts";
import { createMinimalUnlock, type UnlockStatement, unlockInDatabase } from "./unlock-load.ts";

type NextPair = () => Sale;

const HTTP_CLIENTS = [1, 8, 32, 128];
/** The number of connections with the highest throughput on two cores. */
const CONNECTIONS = 16;

/**
 * Compares unlocking with a minimal double-entry unlock written in SQL (bench/minimal-unlock.sql) on the
 * same server: the function alone, with the tips it returns, and over HTTP.
 */
export async function compareUnlocks(
  url: string,
  { origin, next, seconds }: { origin: string; next: NextPair; seconds: number },
): Promise<Comparison[]> {
  await createMinimalUnlock(url);
  const inDatabase = (statement: UnlockStatement) => () =>
    unlockInDatabase(url, next, statement, { clients: CONNECTIONS, seconds });
  const rows = [
    await compare(
      `unlock_race_card, ${CONNECTIONS} connections`,
      "a minimal unlock in SQL",
      inDatabase("product"),
      inDatabase("reference"),
    ),
    await compare(
      "unlock_race_card and its tips",
      "the minimal unlock and its tips",
      inDatabase("productWithTips"),
      inDatabase("referenceWithTips"),
    ),
  ];
  const overHttp = (clients: number) => () => unlockOverHttp(origin, next, { clients, seconds });
  for (const clients of HTTP_CLIENTS)
    rows.push(
      await compare(
        `unlock over HTTP, ${clients} client${clients === 1 ? "" : "s"}`,
        "the minimal unlock and its tips",
        overHttp(clients),
        inDatabase("referenceWithTips"),
      ),
    );
  rows.push(
    await compare(
      "unlock over HTTP, 32 clients",
      "unlock_race_card and its tips",
      overHttp(32),
      inDatabase("productWithTips"),
    ),
  );
  return rows;
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
            body: '{"acknowledgedRacesRun":0}',
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
