import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "#test/concurrency.ts";
import { Load } from "../load.ts";
import { rewriteFunction } from "../planted-faults.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { startBackgroundLoad } from "../start-background-load.ts";
import { percentile, tally } from "../statistics.ts";

const CLIENTS = 4;
const BEFORE_MS = 10_000;
const DURING_MS = 30_000;
const P99_MS = 300;
/** The maximum event loop delay of this process for a reliable measurement. */
const OWN_LAG_MS = 50;
const SLOW = 500;
const BODIES = 100;
const LISTENERS = 1_000;
const SIGN_IN_LIMIT = 200;
const MEMORY_MB = 100;
const MEMORY_WITHIN_MS = 60_000;
const FIRST_ROUND_MS = 10_000;
const REST_MS = 5_000;

const LOAD_SIZE = {
  listeners: LISTENERS,
  slow: SLOW,
  bodies: BODIES,
  signInsPerSecond: SIGN_IN_LIMIT,
};

/**
 * Checks that unlocking a race card stays fast under slow connections, endless bodies, a thousand
 * event streams and two hundred sign-ins a second, and that a second round uses no more memory.
 */
export const backgroundLoad: Scenario = {
  name: "background-load",
  fullOnly: true,
  breakProduct: ({ db }) =>
    rewriteFunction(db, "unlock_race_card", [/\nbegin\n/, "\nbegin\n  perform pg_sleep(0.6);\n"]),
  async run(environment) {
    const { isProductBroken, web } = environment;
    const problems: string[] = [];
    const before = isProductBroken ? { p99: 0 } : await measureUnlocks(environment, BEFORE_MS);
    // The first round fills pools and caches that stay allocated; only the second is measured.
    const first = await startBackgroundLoad(web.origin, LOAD_SIZE);
    await sleep(FIRST_ROUND_MS);
    await first.stop();
    await sleep(REST_MS);
    const memoryBefore = memoryMb(web.pids);
    const others = await startBackgroundLoad(web.origin, LOAD_SIZE);
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const during = await measureUnlocks(environment, DURING_MS);
    lag.disable();
    const ownLagMs = Math.round(lag.percentile(99) / 1e6);
    const memoryDuring = memoryMb(web.pids);
    const { connected, statuses } = await others.stop();
    const isReleased = await waitUntil(
      () => memoryMb(web.pids) <= memoryBefore + MEMORY_MB,
      MEMORY_WITHIN_MS,
      1_000,
    );
    const memoryAfter = memoryMb(web.pids);
    // On a busy machine the limit is twice the time without background load.
    const limit = Math.max(P99_MS, 2 * before.p99);
    expectThat(problems, during.p99 <= limit, `p99 of unlocking: ${during.p99} ms`);
    expectThat(problems, during.faults.length === 0, during.faults.join("; "));
    expectThat(
      problems,
      connected === LISTENERS,
      `${connected} of ${LISTENERS} event streams connected`,
    );
    expectThat(problems, isReleased, `memory: ${memoryBefore} MB before, ${memoryAfter} MB after`);
    const wrong = statuses.filter((status) => ![401, 429, 503].includes(status));
    expectThat(problems, wrong.length === 0, `sign-ins: ${tally(wrong)}`);
    const isReliable = isProductBroken || problems.length === 0 || ownLagMs <= OWN_LAG_MS;
    return {
      ...(isReliable
        ? {}
        : {
            skipped: `not measured, this machine is too busy: ${problems.join("; ")}; event loop delay ${ownLagMs} ms`,
          }),
      description: `${SLOW} slow connections, ${BODIES} endless bodies, ${LISTENERS} event streams, ${SIGN_IN_LIMIT} sign-ins a second (${tally(statuses)})`,
      figure: `p99 of unlocking ${before.p99} ms before, ${during.p99} ms under load; memory ${memoryBefore}, ${memoryDuring}, ${memoryAfter} MB before, during, after`,
      problems: isReliable ? problems : [],
    };
  },
};

/** Unlocks race cards for `ms` and returns the p99 latency. */
async function measureUnlocks(
  environment: Environment,
  ms: number,
): Promise<{ p99: number; faults: string[] }> {
  const load = await Load.start(environment, { clients: CLIENTS, payments: 0 });
  await sleep(ms);
  await load.stop();
  const answered = load.responses.filter(({ status }) => status === 200).map((each) => each.ms);
  return { p99: Math.round(percentile(answered, 0.99)), faults: load.findUnexpectedResponses(0) };
}

/** Returns the memory of some processes in MB; 0 where /proc is not available. */
function memoryMb(pids: readonly number[]): number {
  let kb = 0;
  for (const pid of pids)
    try {
      kb += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    } catch {} // not on Linux, or the process has exited
  return Math.round(kb / 1024);
}
