import { waitUntil } from "#test/concurrency.ts";
import { sendRequest } from "../http-client.ts";
import { Load, type RecordedResponse } from "../load.ts";
import { expectThat, type Scenario } from "../scenario.ts";

const RESTARTS_EACH = { quick: 1, full: 20 };
const REPLACED_WITHIN_MS = 60_000;
/** The interval of a load balancer's health checks. */
const READY_EVERY_MS = 1_000;

/**
 * Restarts web processes one by one under load on keep-alive connections: each is replaced before
 * it exits, and no request is dropped. An announced shutdown fails the readiness check first and
 * answers requests until the load balancer sends no more.
 */
export const restarts: Scenario = {
  name: "restarts",
  isExclusive: true,
  // Kills the processes instead of sending them SIGTERM, see below.
  breakProduct: async () => {},
  async run(environment) {
    const { isProductBroken, quick, web } = environment;
    const rounds = RESTARTS_EACH[quick ? "quick" : "full"] * web.pids.length;
    const load = await Load.start(environment, { payments: quick ? 10 : 40 });
    const problems: string[] = [];
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A replacement has the highest process id, so that each process is restarted in turn.
      const oldest = Math.min(...web.pids);
      const signalledAt = performance.now();
      process.kill(oldest, isProductBroken ? "SIGKILL" : "SIGTERM");
      const isReplaced = await waitUntil(
        () => !web.pids.includes(oldest) && web.isFullyListening,
        REPLACED_WITHIN_MS,
      );
      longestMs = Math.max(longestMs, performance.now() - signalledAt);
      expectThat(problems, isReplaced, `process ${oldest} was not replaced`);
      // Waits until its clients have continued on other processes.
      const answered = load.responses.length;
      await waitUntil(() => load.responses.length > answered + 20, REPLACED_WITHIN_MS);
    }
    const duringRestarts = load.responses.length;
    const stopped = web.stop(isProductBroken ? "now" : "announced");
    const isReady = async () => (await sendRequest(web.origin, "/health/ready")).status === 200;
    const isAnnounced = await waitUntil(async () => !(await isReady()), 30_000, READY_EVERY_MS);
    expectThat(problems, isAnnounced, "the readiness check never failed before shutdown");
    await load.stop();
    await stopped;
    const dropped = load.responses.filter(wasDropped);
    for (const { what, status, text } of dropped.slice(0, 8))
      problems.push(`${what}: ${status} ${text.slice(0, 80)}`);
    problems.push(...(await load.findLostWrites()));
    const later = load.responses.filter(({ status }) => status === 503).length;
    expectThat(problems, quick || later === 0, `${later} requests received 503`);
    return {
      description: `${rounds} web processes restarted under load, then an announced shutdown`,
      figure: `${duringRestarts} responses during restarts and ${load.responses.length - duringRestarts} during shutdown, on keep-alive connections: ${dropped.length} dropped, ${later} × 503; each replaced within ${(longestMs / 1_000).toFixed(1)} s`,
      problems,
    };
  },
};

/** Returns true unless a response is 200, or 503 with Retry-After, as from a busy machine. */
function wasDropped({ status, retryAfter }: RecordedResponse): boolean {
  return status !== 200 && !(status === 503 && retryAfter !== null);
}
