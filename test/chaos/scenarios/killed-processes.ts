import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "#test/concurrency.ts";
import { CLIENT_TIMEOUT_MS, sendRequest } from "../http-client.ts";
import { dropConstraints, rewriteFunction } from "../inject-faults.ts";
import { type Environment, expectThat, type Scenario } from "../scenario.ts";
import { percentile } from "../statistics.ts";
import { WRITES, type Write } from "../writes.ts";

const KILLS_PER_WRITE = 20;
const QUICK_ROUNDS = 3;
const MAX_KILL_DELAY_MS = 60;
const MAX_HEALTHY_MS = 3_000;
/** The supervisor delays the replacement of a process that exits within this time of its start. */
const STABLE_AFTER_MS = 1_100;
const MAX_RECOVERY_MS = 60_000;

/**
 * Kills all web processes during a write, which the client repeats until it is confirmed: it must
 * be applied exactly once. In the quick run all writes are in progress at the same time.
 */
export const killedProcesses: Scenario = {
  name: "killed-processes",
  async injectFault({ db }) {
    // Makes the application charge a repeated unlock again.
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
      : names.flatMap((name) => Array.from({ length: KILLS_PER_WRITE }, () => [name]));
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
    const maxMs = Math.round(Math.max(...recoveries));
    // The quick run shares its machine with other work, so it checks only the recovery.
    const limit = environment.quick
      ? MAX_RECOVERY_MS
      : Math.max(MAX_HEALTHY_MS, 2 * environment.web.startMs);
    expectThat(problems, maxMs <= limit, `recovery took ${maxMs} ms`);
    return {
      description: `${rounds.length} × all web processes killed 0 to ${MAX_KILL_DELAY_MS} ms into ${environment.quick ? `${names.length} concurrent writes` : `a write, ${KILLS_PER_WRITE} × each of ${names.length}`}`,
      measurement: `${problems.length === 0 ? "all applied once" : `${problems.length} not applied once`}; healthy after ${Math.round(percentile(recoveries, 0.5))} ms, maximum ${maxMs} ms`,
      problems,
    };
  },
};

/**
 * Kills the web processes during the writes and repeats the writes. Returns the recovery time and
 * the number of first requests that timed out. A connection may close with its process, but no client
 * may wait forever.
 */
async function killDuring(
  writes: Write[],
  { web, random }: Environment,
): Promise<{ healthyMs: number; timedOut: number }> {
  const firstRequests = writes.map((write) => write.send());
  await sleep(random.next() * MAX_KILL_DELAY_MS);
  const killedAt = performance.now();
  web.kill();
  const recovery = waitUntil(
    async () =>
      (await sendRequest(web.origin, "/health/ready", { timeoutMs: 2_000 })).status === 200,
    MAX_RECOVERY_MS,
  ).then(() => performance.now() - killedAt);
  const responses = await Promise.all(firstRequests);
  const timedOut = responses.filter(({ ms }) => ms >= CLIENT_TIMEOUT_MS).length;
  for (const write of writes)
    await waitUntil(async () => write.isConfirmed(await write.send()), MAX_RECOVERY_MS);
  // Repeats every write, as a client does that did not receive the confirmation.
  await Promise.all(writes.map((write) => write.send()));
  const healthyMs = await recovery;
  await waitUntil(() => web.isFullyListening, MAX_RECOVERY_MS);
  await sleep(STABLE_AFTER_MS);
  return { healthyMs, timedOut };
}
