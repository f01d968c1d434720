import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchData, createPopularSaleGenerator, type Sale } from "#test/bench-data.ts";
import type { BenchServer } from "./bench-server.ts";
import { sendRequests } from "./http-load.ts";
import { type Comparison, compare } from "./measure.ts";
import { unlockOverHttp } from "./unlock.ts";

const CATCH_UP_MS = 2_000;
const RECEIVE_TIMEOUT_MS = 60_000;

/** Compares sales of one creator with sales of many creators, and sales with and without concurrent roll-ups. */
export async function compareContention(
  server: BenchServer,
  {
    origin,
    data,
    next,
    load,
  }: {
    origin: string;
    data: BenchData;
    next: () => Sale;
    load: { clients: number; seconds: number };
  },
): Promise<Comparison[]> {
  const nextPopularSale = createPopularSaleGenerator(data);
  const contention = await compare(
    `open one creator's cards, ${load.clients} clients`,
    "the same, spread over all creators",
    () => unlockOverHttp(origin, nextPopularSale, load),
    () => unlockOverHttp(origin, next, load),
  );
  // Roll-ups run in a separate process, so that it can be paused and resumed.
  const jobProcess = await server.serve({ runsJobs: true });
  const rollUps = await compare(
    `unlock race cards during roll-ups, ${load.clients} clients`,
    "the same while the roll-ups are paused",
    async () => {
      process.kill(jobProcess.pid, "SIGCONT");
      await sleep(CATCH_UP_MS);
      return await unlockOverHttp(origin, next, load);
    },
    async () => {
      process.kill(jobProcess.pid, "SIGSTOP");
      return await unlockOverHttp(origin, next, load);
    },
  );
  process.kill(jobProcess.pid, "SIGCONT");
  await jobProcess.stop();
  return [contention, rollUps];
}

/** Compares two web processes with one, with the same total number of clients. */
export async function compareProcesses(
  server: BenchServer,
  {
    origin,
    cookie,
    load,
  }: { origin: string; cookie: string; load: { clients: number; seconds: number } },
): Promise<Comparison> {
  const other = await server.serve({ runsJobs: false });
  const half = { ...load, clients: load.clients / 2 };
  const comparison = await compare(
    "home for a user, two web processes",
    "one web process",
    async () => {
      const [one, two] = await Promise.all(
        [origin, other.origin].map((url) => sendRequests(`${url}/`, half, { cookie })),
      );
      if (!one || !two) throw new Error("a measurement is missing");
      return {
        perSecond: one.perSecond + two.perSecond,
        p50: (one.p50 + two.p50) / 2,
        p99: Math.max(one.p99, two.p99),
      };
    },
    () => sendRequests(`${origin}/`, load, { cookie }),
  );
  await other.stop();
  return comparison;
}

/** Measures how long a sale takes to reach each viewer of the standings on two web processes, in ms. */
export async function measureLive(
  server: BenchServer,
  { origin, next, viewerCount }: { origin: string; next: () => Sale; viewerCount: number },
): Promise<{ p50: number; p99: number; max: number }> {
  const other = await server.serve({ runsJobs: false });
  const jobProcess = await server.serve({ runsJobs: true });
  const viewers = server.start("bench/listeners.ts", [origin, other.origin, String(viewerCount)]);
  await waitForMessage(viewers);
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    await sleep(1_500 + 137 * round);
    const { buyer, raceCardId } = next();
    const startedAt = performance.timeOrigin + performance.now();
    const received = waitForMessage(viewers) as Promise<[number[]]>;
    viewers.send("listen");
    const response = await fetch(`${origin}/api/race-cards/${raceCardId}/unlock`, {
      method: "POST",
      headers: { cookie: buyer.cookie },
    });
    if (!response.ok) throw new Error(`refused: ${response.status}`);
    const [receivedAt] = await received;
    times.push(...receivedAt.map((time) => time - startedAt));
  }
  await other.stop();
  await jobProcess.stop();
  times.sort((one, two) => one - two);
  const percentile = (fraction: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * fraction))] ?? 0;
  return { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) };
}

/** Returns the next message of the viewers' process; throws on a timeout. */
async function waitForMessage(viewers: ChildProcess): Promise<unknown[]> {
  try {
    return await once(viewers, "message", { signal: AbortSignal.timeout(RECEIVE_TIMEOUT_MS) });
  } catch (error) {
    throw new Error("not every viewer of the standings received the update", { cause: error });
  }
}
