import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "#test/concurrency.ts";
import { CLIENT_TIMEOUT_MS, sendRequest } from "../http-client.ts";
import { dropConstraints, rewriteFunction } from "../planted-faults.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { percentile } from "../statistics.ts";
import { WRITES, type Write } from "../writes.ts";

const KILLS_EACH = 20;
const QUICK_ROUNDS = 3;
const KILLED_WITHIN_MS = 60;
const HEALTHY_WITHIN_MS = 3_000;
/** The supervisor delays the replacement of a process that exits sooner after its start. */
const SETTLED_AFTER_MS = 1_100;
const RECOVERY_LIMIT_MS = 60_000;

/**
 * Kills all web processes during a write, which the client repeats until it is confirmed: it must
 * be applied exactly once. In the quick run all writes are in progress at the same time.
 */
export const killedProcesses: Scenario = {
  name: "killed-processes",
  async breakProduct({ db }) {
    // Makes the product charge a repeated unlock again.
    await dropConstraints(db, "sales");
    await rewriteFunction(
      db,
      "unlock_race_card",
      [/\bif found then/, "if false then"],
      [/p_buyer \|\| ':' \|\| p_card/, "gen_random_uuid()::text"],
    );
  },
  async run(environment) {
    const problems: string[] = [];
    const recoveries: number[] = [];
    let timedOut = 0;
    const names = Object.keys(WRITES);
    const rounds = environment.quick
      ? Array.from({ length: QUICK_ROUNDS }, () => names)
      : names.flatMap((name) => Array.from({ length: KILLS_EACH }, () => [name]));
    for (const round of rounds) {
      const writes = new Map<string, Write>();
      for (const name of round) {
        const write = await WRITES[name]?.(environment);
        if (write) writes.set(name, write);
      }
      const outcome = await killDuring([...writes.values()], environment);
      recoveries.push(outcome.healthyMs);
      timedOut += outcome.timedOut;
      for (const [name, write] of writes) {
        const problem = await write.check();
        if (problem) problems.push(`${name}: ${problem}`);
      }
    }
    expectThat(problems, timedOut === 0, `${timedOut} clients never received a response`);
    const worst = Math.round(Math.max(...recoveries));
    // The quick run shares its machine with other work, so it checks only the recovery.
    const limit = environment.quick
      ? RECOVERY_LIMIT_MS
      : Math.max(HEALTHY_WITHIN_MS, 2 * environment.web.startMs);
    expectThat(problems, worst <= limit, `recovery took ${worst} ms`);
    return {
      description: `${rounds.length} × all web processes killed 0 to ${KILLED_WITHIN_MS} ms into ${environment.quick ? `${names.length} concurrent writes` : `a write, ${KILLS_EACH} × each of ${names.length}`}`,
      figure: `${problems.length === 0 ? "all applied once" : `${problems.length} not applied once`}; healthy after ${Math.round(percentile(recoveries, 0.5))} ms, maximum ${worst} ms`,
      problems,
    };
  },
};

/**
 * Kills the web processes during the writes and repeats the writes. Returns the recovery time and
 * the number of first requests that timed out: a connection may close with its process, but no
 * client may be left waiting.
 */
async function killDuring(
  writes: Write[],
  { web, random }: Environment,
): Promise<{ healthyMs: number; timedOut: number }> {
  const firstRequests = writes.map((write) => write.send());
  await sleep(random.next() * KILLED_WITHIN_MS);
  const killedAt = performance.now();
  web.kill();
  const healthy = waitUntil(
    async () =>
      (await sendRequest(web.origin, "/health/ready", { timeoutMs: 2_000 })).status === 200,
    RECOVERY_LIMIT_MS,
  ).then(() => performance.now() - killedAt);
  const responses = await Promise.all(firstRequests);
  const timedOut = responses.filter(({ ms }) => ms >= CLIENT_TIMEOUT_MS).length;
  for (const write of writes)
    await waitUntil(async () => write.isDone(await write.send()), RECOVERY_LIMIT_MS);
  // Repeats every write, as a client does that did not receive the confirmation.
  await Promise.all(writes.map((write) => write.send()));
  const healthyMs = await healthy;
  await waitUntil(() => web.isFullyListening, RECOVERY_LIMIT_MS);
  await sleep(SETTLED_AFTER_MS);
  return { healthyMs, timedOut };
}
