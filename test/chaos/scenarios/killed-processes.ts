import { setTimeout as sleep } from "node:timers/promises";
import { comesTrue } from "#test/concurrency.ts";
import { ask, GIVES_UP_AFTER_MS } from "../http-client.ts";
import { dropGuards, rewriteFunction } from "../planted-faults.ts";
import { type Arena, expectThat, type Trial } from "../scenario.ts";
import { percentile } from "../statistics.ts";
import { type Act, AUDIT_ACTIONS } from "../writes.ts";

const KILLS_EACH = 20;
const QUICK_ROUNDS = 3;
const KILLED_WITHIN_MS = 60;
const HEALTHY_WITHIN_MS = 3_000;
/** A process that ends sooner than this after it began to listen is replaced more slowly. */
const SETTLED_AFTER_MS = 1_100;
const GIVE_UP_MS = 60_000;

/**
 * All web processes are killed somewhere in the middle of a write, and the client sends it again until it
 * is told that it is done: it was done once, and whole. In the quick run all writes are under way at once.
 */
export const killedProcesses: Trial = {
  name: "killed-processes",
  async breakIt({ db }) {
    // What was opened before is not recognised.
    await dropGuards(db, "sales");
    await rewriteFunction(
      db,
      "unlock_race_card",
      [/\bif found then/, "if false then"],
      [/p_buyer \|\| ':' \|\| p_card/, "gen_random_uuid()::text"],
    );
  },
  async run(arena) {
    const problems: string[] = [];
    const recoveries: number[] = [];
    let forgotten = 0;
    const names = Object.keys(AUDIT_ACTIONS);
    const rounds = arena.quick
      ? Array.from({ length: QUICK_ROUNDS }, () => names)
      : names.flatMap((name) => Array.from({ length: KILLS_EACH }, () => [name]));
    for (const round of rounds) {
      const acts = new Map<string, Act>();
      for (const name of round) {
        const act = await AUDIT_ACTIONS[name]?.(arena);
        if (act) acts.set(name, act);
      }
      const after = await killAmid([...acts.values()], arena);
      recoveries.push(after.healthyMs);
      forgotten += after.forgotten;
      for (const [name, act] of acts) {
        const problem = await act.check();
        if (problem) problems.push(`${name}: ${problem}`);
      }
    }
    expectThat(problems, forgotten === 0, `${forgotten} clients were never told anything`);
    const worst = Math.round(Math.max(...recoveries));
    // The quick run shares its machine with whatever else is going on: there only the end counts.
    const limit = arena.quick ? GIVE_UP_MS : Math.max(HEALTHY_WITHIN_MS, 2 * arena.web.startMs);
    expectThat(problems, worst <= limit, `it took ${worst} ms until it was healthy again`);
    return {
      did: `${rounds.length} × all web processes killed 0 to ${KILLED_WITHIN_MS} ms into ${arena.quick ? `${names.length} writes at once` : `a write, ${KILLS_EACH} × each of ${names.length}`}`,
      figure: `${problems.length === 0 ? "all done once" : `${problems.length} not done once`}; healthy again after ${Math.round(percentile(recoveries, 0.5))} ms, at worst ${worst} ms`,
      problems,
    };
  },
};

/**
 * Answers after how many milliseconds somebody was healthy again, and how many clients were forgotten: a
 * connection may break off with the process that had it, but nobody may be left to wait.
 */
async function killAmid(
  acts: Act[],
  { web, dice }: Arena,
): Promise<{ healthyMs: number; forgotten: number }> {
  const firsts = acts.map((act) => act.send());
  await sleep(dice.next() * KILLED_WITHIN_MS);
  const killedAt = performance.now();
  web.kill();
  const healthy = comesTrue(
    async () => (await ask(web.origin, "/health/ready", { withinMs: 2_000 })).status === 200,
    GIVE_UP_MS,
  ).then(() => performance.now() - killedAt);
  const answers = await Promise.all(firsts);
  const forgotten = answers.filter(({ ms }) => ms >= GIVES_UP_AFTER_MS).length;
  for (const act of acts) await comesTrue(async () => act.isDone(await act.send()), GIVE_UP_MS);
  // And once more, for the client whom that answer did not reach.
  await Promise.all(acts.map((act) => act.send()));
  const healthyMs = await healthy;
  await comesTrue(() => web.isWhole, GIVE_UP_MS);
  await sleep(SETTLED_AFTER_MS);
  return { healthyMs, forgotten };
}
