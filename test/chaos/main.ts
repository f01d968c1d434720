import { once } from "node:events";
import { buildIfStale } from "#bin/build.ts";
import { createShutdownSignal } from "#bin/shutdown-signal.ts";
import { seededRandom } from "#demo/random.ts";
import { Infrastructure, stopEnvironment } from "./infrastructure.ts";
import { findIntegrityProblems } from "./ledger-monitor.ts";
import { type Options, parseOptions, replayCommand } from "./options.ts";
import type { Environment, Outcome, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** A quick run usually takes a fifth of its timeout. */
const RUN_TIMEOUT_MS = { quick: 8 * 60_000, full: 90 * 60_000 };

const parsed = parseOptions(
  process.argv.slice(2),
  SCENARIOS.map((scenario) => scenario.name),
);
if (!parsed.ok) {
  console.error(parsed.problem);
  process.exit(2);
}
const { options } = parsed;
const selected = SCENARIOS.filter((scenario) =>
  options.only ? scenario.name.startsWith(options.only) : !(options.quick && scenario.fullOnly),
);

const rows: Record<string, string>[] = [];
let failedCount = 0;
let passedCount = 0;

/** Runs one scenario and all integrity checks after it, and prints the result. */
async function runScenario(scenario: Scenario, environment: Environment): Promise<boolean> {
  const startedAt = performance.now();
  Object.assign(environment, {
    random: seededRandom(options.seed, scenario.name),
    isFaultInjected: options.isFaultInjected,
  });
  let outcome: Outcome;
  try {
    if (options.isFaultInjected) await scenario.injectFault(environment);
    outcome = await scenario.run(environment);
    if (!outcome.skipped) outcome.problems.push(...(await findIntegrityProblems(environment)));
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome = { description: "", measurement: "", problems: [`The scenario threw: ${message}`] };
  }
  const { description, measurement, problems } = outcome;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = outcome.skipped ? "SKIPPED" : problems.length === 0 ? "passed" : "FAILED";
  rows.push({
    scenario: scenario.name,
    description: outcome.skipped ?? description,
    measurement,
    verdict,
  });
  console.log(
    `${verdict.padEnd(7)} ${scenario.name} (${seconds} s): ${outcome.skipped ?? measurement}`,
  );
  for (const problem of problems) console.log(`        ${problem}`);
  if (problems.length > 0)
    console.log(`        To reproduce: ${replayCommand(scenario.name, options)}`);
  if (problems.length > 0) failedCount += 1;
  else if (!outcome.skipped) passedCount += 1;
  return problems.length === 0;
}

async function runScenarios(
  infrastructure: Infrastructure,
  { quick, isFaultInjected }: Options,
): Promise<void> {
  let environment: Environment | null = null;
  for (const scenario of selected) {
    environment ??= await infrastructure.createEnvironment({ quick });
    const hasPassed = await runScenario(scenario, environment);
    // A failed or broken environment must not affect the next scenario.
    if (hasPassed && !isFaultInjected && !scenario.isExclusive) continue;
    await stopEnvironment(environment);
    environment = null;
  }
  if (environment) await stopEnvironment(environment);
}

const signal = createShutdownSignal();
const timeout = AbortSignal.timeout(options.quick ? RUN_TIMEOUT_MS.quick : RUN_TIMEOUT_MS.full);
const stopped = once(AbortSignal.any([signal, timeout]), "abort");

console.log(`Seed ${options.seed}${options.isFaultInjected ? ", with an injected fault" : ""}`);
await buildIfStale(signal);
const infrastructure = await Infrastructure.start();
try {
  await Promise.race([runScenarios(infrastructure, options), stopped]);
} finally {
  await infrastructure.stop();
}
if (signal.aborted) process.exit(130);
if (timeout.aborted) {
  failedCount += 1;
  console.log("The run exceeded its time limit and was stopped.");
}
console.log();
for (const { scenario = "", description = "", measurement = "", verdict = "" } of rows)
  console.log(`${verdict.padEnd(7)} ${scenario.padEnd(20)} ${description}: ${measurement}`);
console.log(`\n${passedCount} passed, ${failedCount} failed`);
process.exit(failedCount > 0 ? 1 : 0);
