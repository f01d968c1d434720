import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import pg from "pg";
import { addDays, dateAt } from "#domain/calendar.ts";
import { createSessionCookie, type Sale } from "#test/bench-data.ts";
import type { BenchServer } from "./bench-server.ts";
import type { Load } from "./http-load.ts";
import { type Comparison, compare, type Measurement } from "./measure.ts";
import { unlockOverHttp } from "./unlock.ts";

const RACES = [1, 2, 3, 4, 5, 6, 7, 8];
/** How many days ahead tips can be published. */
const DAYS_AHEAD = 14;
const CATCH_UP_MS = 3_000;

/** A race card that nobody has published yet. */
type Draft = { cookie: string; venueId: string; raceDate: string };

/**
 * Compares publishing and unlocking while a process appends the tips to the public log with the same work while that
 * process is paused.
 */
export async function compareLog(
  server: BenchServer,
  { origin, next, load }: { origin: string; next: () => Sale; load: Load },
): Promise<Comparison[]> {
  const nextDraft = await createDraftGenerator(server);
  const appender = server.start("bench/append-to-log.ts");
  await once(appender, "message");
  const compareWhilePaused = (work: string, measure: () => Promise<Measurement>) =>
    compare(
      `${work} while tips are appended to the log`,
      "the same while no tips are appended",
      async () => {
        appender.kill("SIGCONT");
        // Waits until the tips of the previous round are appended, so that they do not slow down this one.
        await sleep(CATCH_UP_MS);
        return await measure();
      },
      async () => {
        appender.kill("SIGSTOP");
        return await measure();
      },
    );
  const { clients, seconds } = load;
  const publishing = { clients: Math.min(clients, 8), seconds };
  const rows = [
    await compareWhilePaused(
      `publish race cards of ${RACES.length}, ${publishing.clients} clients`,
      () => publishOverHttp(origin, nextDraft, publishing),
    ),
    await compareWhilePaused(
      `unlock race cards, ${clients} clients, and publish with another,`,
      async () => {
        const [unlocked] = await Promise.all([
          unlockOverHttp(origin, next, load),
          publishOverHttp(origin, nextDraft, { clients: 1, seconds }),
        ]);
        return unlocked;
      },
    ),
  ];
  appender.kill("SIGCONT");
  appender.kill("SIGTERM");
  return rows;
}

async function publishOverHttp(
  origin: string,
  nextDraft: () => Draft,
  { clients, seconds }: Load,
): Promise<Measurement> {
  const result = await autocannon({
    url: origin,
    connections: clients,
    duration: seconds,
    requests: [
      {
        method: "POST",
        path: "/tipster-dashboard/add",
        setupRequest: (request) => {
          const { cookie, venueId, raceDate } = nextDraft();
          return {
            ...request,
            headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
            body: createForm({ venueId, raceDate }).toString(),
          };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors over HTTP`, {
      cause: result.statusCodeStats,
    });
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

function createForm({ venueId, raceDate }: Omit<Draft, "cookie">): URLSearchParams {
  const form = new URLSearchParams({ idempotencyKey: randomUUID(), venueId, raceDate });
  for (const raceNumber of RACES)
    for (const [field, value] of Object.entries({
      raceNumber: String(raceNumber),
      horseNumber: String(raceNumber),
      horseName: `Horse ${raceNumber}`,
      tipType: "win",
      confidence: "high",
      analysis: "Well drawn and fit. ".repeat(10),
    }))
      form.set(`races.${raceNumber}.${field}`, value);
  return form;
}

/** Returns a generator of distinct race cards of all creators of the benchmark. */
async function createDraftGenerator(server: BenchServer): Promise<() => Draft> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows: creators } = await client.query<{ email: string }>(
    "select email from users where email like 'creator%@bench.test' order by email",
  );
  const { rows: venues } = await client.query<{ id: string }>(
    "select id from venues where slug like 'bench-%' order by slug",
  );
  await client.end();
  const cookies: string[] = [];
  for (const { email } of creators)
    cookies.push(await createSessionCookie(server.url, server.authSecret, email));
  const today = dateAt(new Date());
  // The race cards on sale are two days ahead.
  const drafts = Array.from({ length: DAYS_AHEAD - 2 }, (_, day) =>
    addDays(today, day + 3),
  ).flatMap((raceDate) =>
    venues.flatMap(({ id: venueId }) => cookies.map((cookie) => ({ cookie, venueId, raceDate }))),
  );
  let index = 0;
  return () => {
    const draft = drafts[index];
    index += 1;
    if (!draft) throw new Error("no race cards are left to publish");
    return draft;
  };
}
