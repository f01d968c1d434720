import { waitUntil } from "#test/concurrency.ts";
import { sendRequest } from "../http-client.ts";
import { Load, type RecordedResponse } from "../load.ts";
import { expectThat, type Scenario } from "../scenario.ts";

const RESTARTS_PER_PROCESS = { quick: 1, full: 20 };
const REPLACEMENT_TIMEOUT_MS = 60_000;
/** The interval of a load balancer's health checks. */
const HEALTH_CHECK_INTERVAL_MS = 1_000;

/**
 * Restarts web processes one by one under load on keep-alive connections: each is replaced before
 * it exits, and no request is dropped. A shutdown that drains fails the readiness check first and
 * continues to serve requests until the load balancer stops sending them.
 */
export const restarts: Scenario = {
  name: "restarts",
  isExclusive: true,
  // Kills the processes instead of sending them SIGTERM, see below.
  injectFault: async () => {},
  async run(environment) {
    const { isFaultInjected, quick, web } = environment;
    const rounds = RESTARTS_PER_PROCESS[quick ? "quick" : "full"] * web.pids.length;
    const load = await Load.start(environment, { payments: quick ? 10 : 40 });
    const problems: string[] = [];
    let maxReplacementMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A replacement has the highest process id, so this restarts each process in turn.
      const oldest = Math.min(...web.pids);
      const signalledAt = performance.now();
      process.kill(oldest, isFaultInjected ? "SIGKILL" : "SIGTERM");
      const isReplaced = await waitUntil(
        () => !web.pids.includes(oldest) && web.isFullyListening,
        REPLACEMENT_TIMEOUT_MS,
      );
      maxReplacementMs = Math.max(maxReplacementMs, performance.now() - signalledAt);
      expectThat(problems, isReplaced, `process ${oldest} was not replaced`);
      // Waits until its clients have continued on other processes.
      const responseCount = load.responses.length;
      await waitUntil(() => load.responses.length > responseCount + 20, REPLACEMENT_TIMEOUT_MS);
    }
    const duringRestarts = load.responses.length;
    const shutdown = web.stop(isFaultInjected ? "immediate" : "drain");
    const isReady = async () => (await sendRequest(web.origin, "/health/ready")).status === 200;
    const isAnnounced = await waitUntil(
      async () => !(await isReady()),
      30_000,
      HEALTH_CHECK_INTERVAL_MS,
    );
    expectThat(problems, isAnnounced, "the readiness check never failed before shutdown");
    await load.stop();
    await shutdown;
    const dropped = load.responses.filter(wasDropped);
    for (const { requestName, status, text } of dropped.slice(0, 8))
      problems.push(`${requestName}: ${status} ${text.slice(0, 80)}`);
    problems.push(...(await load.findLostWrites()));
    const refusedCount = load.responses.filter(({ status }) => status === 503).length;
    expectThat(problems, quick || refusedCount === 0, `${refusedCount} requests received 503`);
    return {
      description: `${rounds} web processes restarted under load, then a shutdown that drains`,
      measurement: `${duringRestarts} responses during restarts and ${load.responses.length - duringRestarts} during shutdown, on keep-alive connections: ${dropped.length} dropped, ${refusedCount} × 503; each replaced within ${(maxReplacementMs / 1_000).toFixed(1)} s`,
      problems,
    };
  },
};

/** Returns true unless a response is 200, or 503 with Retry-After, as from a busy machine. */
function wasDropped({ status, retryAfter }: RecordedResponse): boolean {
  return status !== 200 && !(status === 503 && retryAfter !== null);
}
