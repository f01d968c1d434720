import { once } from "node:events";
import { buildIfStale } from "#bin/build.ts";
import { stopSignal } from "#bin/stop-signal.ts";
import { seededRandom } from "#demo/random.ts";
import { close, Ground } from "./infrastructure.ts";
import { integrityProblems } from "./ledger-monitor.ts";
import { readWishes, replayOf, type Wishes } from "./options.ts";
import type { Arena, Outcome, Trial } from "./scenario.ts";
import { TRIALS } from "./scenarios.ts";

/** So that nothing hangs; a quick run takes a fifth of its own. */
const LIMIT_MS = { quick: 8 * 60_000, full: 90 * 60_000 };

const read = readWishes(
  process.argv.slice(2),
  TRIALS.map((trial) => trial.name),
);
if (!read.ok) {
  console.error(read.problem);
  process.exit(2);
}
const { wishes } = read;
const chosen = TRIALS.filter((trial) =>
  wishes.only ? trial.name.startsWith(wishes.only) : !(wishes.quick && trial.fullOnly),
);

const rows: Record<string, string>[] = [];
let failed = 0;
let held = 0;

/** Holds one trial, with the whole of the books read after it, and tells what came of it. */
async function hold(trial: Trial, arena: Arena): Promise<boolean> {
  const beganAt = performance.now();
  Object.assign(arena, { dice: seededRandom(wishes.seed, trial.name), broken: wishes.broken });
  let outcome: Outcome;
  try {
    if (wishes.broken) await trial.breakIt(arena);
    outcome = await trial.run(arena);
    if (!outcome.skipped) outcome.problems.push(...(await integrityProblems(arena)));
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome = { did: "", figure: "", problems: [`It broke off: ${words}`] };
  }
  const { did, figure, problems } = outcome;
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  const verdict = outcome.skipped ? "SKIPPED" : problems.length === 0 ? "held" : "FAILED";
  rows.push({ trial: trial.name, did: outcome.skipped ?? did, figure, verdict });
  console.log(`${verdict.padEnd(7)} ${trial.name} (${seconds} s): ${outcome.skipped ?? figure}`);
  for (const problem of problems) console.log(`        ${problem}`);
  if (problems.length > 0) console.log(`        Again: ${replayOf(trial.name, wishes)}`);
  if (problems.length > 0) failed += 1;
  else if (!outcome.skipped) held += 1;
  return problems.length === 0;
}

async function holdAll(ground: Ground, wished: Wishes): Promise<void> {
  let arena: Arena | null = null;
  for (const trial of chosen) {
    arena ??= await ground.open({ quick: wished.quick });
    const isWhole = await hold(trial, arena);
    // What went wrong, or was broken, must not weigh on the trials that follow.
    if (isWhole && !wished.broken && !trial.alone) continue;
    await close(arena);
    arena = null;
  }
  if (arena) await close(arena);
}

const signal = stopSignal();
const limit = AbortSignal.timeout(wishes.quick ? LIMIT_MS.quick : LIMIT_MS.full);
const cutShort = once(AbortSignal.any([signal, limit]), "abort");

console.log(`Seed ${wishes.seed}${wishes.broken ? ", with the product broken on purpose" : ""}`);
await buildIfStale(signal);
const ground = await Ground.lay();
try {
  await Promise.race([holdAll(ground, wishes), cutShort]);
} finally {
  await ground.clear();
}
if (signal.aborted) process.exit(130);
if (limit.aborted) {
  failed += 1;
  console.log("It took too long and was broken off.");
}
console.log();
for (const { trial = "", did = "", figure = "", verdict = "" } of rows)
  console.log(`${verdict.padEnd(7)} ${trial.padEnd(20)} ${did}: ${figure}`);
console.log(`\n${held} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
