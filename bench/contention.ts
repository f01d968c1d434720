import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchData, createPopularSaleGenerator, type Sale } from "#test/bench-data.ts";
import type { BenchServer } from "./bench-server.ts";
import { sendRequests } from "./http-load.ts";
import { type Comparison, compare } from "./measure.ts";
import { unlockOverHttp } from "./unlock.ts";

const CATCH_UP_MS = 2_000;
const HEARD_WITHIN_MS = 60_000;

/** Compares sales of one creator with spread sales, and sales with and without concurrent roll-ups. */
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
  const keeper = await server.serve({ runsJobs: true });
  const upkeep = await compare(
    `unlock race cards during roll-ups, ${load.clients} clients`,
    "the same with nobody keeping them",
    async () => {
      process.kill(keeper.pid, "SIGCONT");
      await sleep(CATCH_UP_MS);
      return await unlockOverHttp(origin, next, load);
    },
    async () => {
      process.kill(keeper.pid, "SIGSTOP");
      return await unlockOverHttp(origin, next, load);
    },
  );
  process.kill(keeper.pid, "SIGCONT");
  await keeper.stop();
  return [contention, upkeep];
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
  const compared = await compare(
    "home for a user, two web processes",
    "one web process",
    async () => {
      const [one, two] = await Promise.all(
        [origin, other.origin].map((each) => sendRequests(`${each}/`, half, { cookie })),
      );
      if (!one || !two) throw new Error("nobody answered");
      return {
        perSecond: one.perSecond + two.perSecond,
        p50: (one.p50 + two.p50) / 2,
        p99: Math.max(one.p99, two.p99),
      };
    },
    () => sendRequests(`${origin}/`, load, { cookie }),
  );
  await other.stop();
  return compared;
}

/** Measures how long a sale takes to reach each viewer of the standings on two web processes, in ms. */
export async function measureLive(
  server: BenchServer,
  { origin, next, listeners }: { origin: string; next: () => Sale; listeners: number },
): Promise<{ p50: number; p99: number; most: number }> {
  const other = await server.serve({ runsJobs: false });
  const keeper = await server.serve({ runsJobs: true });
  const crowd = server.start("bench/listeners.ts", [origin, other.origin, String(listeners)]);
  await messageOf(crowd);
  const times: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    await sleep(1_500 + 137 * turn);
    const { buyer, raceCardId } = next();
    const startedAt = performance.timeOrigin + performance.now();
    const heard = messageOf(crowd) as Promise<[number[]]>;
    crowd.send("listen");
    const answer = await fetch(`${origin}/api/race-cards/${raceCardId}/unlock`, {
      method: "POST",
      headers: { cookie: buyer.cookie },
    });
    if (!answer.ok) throw new Error(`refused: ${answer.status}`);
    const [instants] = await heard;
    times.push(...instants.map((instant) => instant - startedAt));
  }
  await other.stop();
  await keeper.stop();
  times.sort((one, two) => one - two);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** Returns the next message of the viewers' process; throws on a timeout. */
async function messageOf(crowd: ChildProcess): Promise<unknown[]> {
  try {
    return await once(crowd, "message", { signal: AbortSignal.timeout(HEARD_WITHIN_MS) });
  } catch (error) {
    throw new Error("not everybody who watches the standings heard of a sale", { cause: error });
  }
}
