import { comesTrue } from "#test/concurrency.ts";
import { ask } from "../http-client.ts";
import { Load, type Told } from "../load.ts";
import { expectThat, type Trial } from "../scenario.ts";

const TIMES_EACH = { quick: 1, full: 20 };
const REPLACED_WITHIN_MS = 60_000;
/** As often as a balancer asks. */
const READY_EVERY_MS = 1_000;

/**
 * Web processes are told to go one after the other while cards are opened on connections that are kept
 * open: another is there first, and no request is dropped. Told to go all at once, they say so to
 * whoever asks whether they are ready, and answer everybody until nobody is sent to them any more.
 */
export const restarts: Trial = {
  name: "restarts",
  alone: true,
  // They are ended without having been told: see below.
  breakIt: async () => {},
  async run(arena) {
    const { broken, quick, web } = arena;
    const rounds = TIMES_EACH[quick ? "quick" : "full"] * web.pids.length;
    const load = await Load.begin(arena, { payments: quick ? 10 : 40 });
    const problems: string[] = [];
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A replacement is the youngest, so that each in its turn is the eldest.
      const eldest = Math.min(...web.pids);
      const toldAt = performance.now();
      process.kill(eldest, broken ? "SIGKILL" : "SIGTERM");
      const isReplaced = await comesTrue(
        () => !web.pids.includes(eldest) && web.isWhole,
        REPLACED_WITHIN_MS,
      );
      longestMs = Math.max(longestMs, performance.now() - toldAt);
      expectThat(problems, isReplaced, `process ${eldest} was not replaced`);
      // Those who were answered by it go on with the others.
      const answered = load.told.length;
      await comesTrue(() => load.told.length > answered + 20, REPLACED_WITHIN_MS);
    }
    const oneByOne = load.told.length;
    const stopped = web.stop(broken ? "now" : "announced");
    const isReady = async () => (await ask(web.origin, "/health/ready")).status === 200;
    const isSeen = await comesTrue(async () => !(await isReady()), 30_000, READY_EVERY_MS);
    expectThat(problems, isSeen, "it never said that it was about to end");
    await load.stop();
    await stopped;
    const dropped = load.told.filter(wasDropped);
    for (const { what, status, text } of dropped.slice(0, 8))
      problems.push(`${what}: ${status} ${text.slice(0, 80)}`);
    problems.push(...(await load.lost()));
    const later = load.told.filter(({ status }) => status === 503).length;
    expectThat(problems, quick || later === 0, `${later} were told to come later`);
    return {
      did: `${rounds} web processes told to go under load, then all of them`,
      figure: `${oneByOne} answers meanwhile and ${load.told.length - oneByOne} at the end, on connections kept open: ${dropped.length} dropped, ${later} told to come later; each replaced within ${(longestMs / 1_000).toFixed(1)} s`,
      problems,
    };
  },
};

/** No answer, or one that nobody should get. A busy machine may tell to come later. */
function wasDropped({ status, retryAfter }: Told): boolean {
  return status !== 200 && !(status === 503 && retryAfter !== null);
}
