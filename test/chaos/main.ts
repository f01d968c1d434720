import { once } from "node:events";
import { buildIfStale } from "#bin/build.ts";
import { createShutdownSignal } from "#bin/shutdown-signal.ts";
import { seededRandom } from "#demo/random.ts";
import { Infrastructure, stopEnvironment } from "./infrastructure.ts";
import { integrityProblems } from "./ledger-monitor.ts";
import { type Options, parseOptions, replayCommand } from "./options.ts";
import type { Environment, Outcome, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Time limits of a run in milliseconds; a quick run usually takes a fifth of its limit. */
const LIMIT_MS = { quick: 8 * 60_000, full: 90 * 60_000 };

const parsed = parseOptions(
  process.argv.slice(2),
  SCENARIOS.map((scenario) => scenario.name),
);
if (!parsed.ok) {
  console.error(parsed.problem);
  process.exit(2);
}
const { options } = parsed;
const chosen = SCENARIOS.filter((scenario) =>
  options.only ? scenario.name.startsWith(options.only) : !(options.quick && scenario.fullOnly),
);

const rows: Record<string, string>[] = [];
let failed = 0;
let passedCount = 0;

/** Runs one scenario and all integrity checks after it, and prints the result. */
async function runScenario(scenario: Scenario, environment: Environment): Promise<boolean> {
  const startedAt = performance.now();
  Object.assign(environment, {
    random: seededRandom(options.seed, scenario.name),
    isProductBroken: options.isProductBroken,
  });
  let outcome: Outcome;
  try {
    if (options.isProductBroken) await scenario.breakProduct(environment);
    outcome = await scenario.run(environment);
    if (!outcome.skipped) outcome.problems.push(...(await integrityProblems(environment)));
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcome = { description: "", figure: "", problems: [`The scenario threw: ${message}`] };
  }
  const { description, figure, problems } = outcome;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = outcome.skipped ? "SKIPPED" : problems.length === 0 ? "passed" : "FAILED";
  rows.push({
    scenario: scenario.name,
    description: outcome.skipped ?? description,
    figure,
    verdict,
  });
  console.log(`${verdict.padEnd(7)} ${scenario.name} (${seconds} s): ${outcome.skipped ?? figure}`);
  for (const problem of problems) console.log(`        ${problem}`);
  if (problems.length > 0)
    console.log(`        To repeat: ${replayCommand(scenario.name, options)}`);
  if (problems.length > 0) failed += 1;
  else if (!outcome.skipped) passedCount += 1;
  return problems.length === 0;
}

async function runScenarios(
  infrastructure: Infrastructure,
  { quick, isProductBroken }: Options,
): Promise<void> {
  let environment: Environment | null = null;
  for (const scenario of chosen) {
    environment ??= await infrastructure.createEnvironment({ quick });
    const hasPassed = await runScenario(scenario, environment);
    // A failed or broken environment must not affect the next scenario.
    if (hasPassed && !isProductBroken && !scenario.isExclusive) continue;
    await stopEnvironment(environment);
    environment = null;
  }
  if (environment) await stopEnvironment(environment);
}

const signal = createShutdownSignal();
const limit = AbortSignal.timeout(options.quick ? LIMIT_MS.quick : LIMIT_MS.full);
const stopped = once(AbortSignal.any([signal, limit]), "abort");

console.log(
  `Seed ${options.seed}${options.isProductBroken ? ", with the product broken on purpose" : ""}`,
);
await buildIfStale(signal);
const infrastructure = await Infrastructure.start();
try {
  await Promise.race([runScenarios(infrastructure, options), stopped]);
} finally {
  await infrastructure.stop();
}
if (signal.aborted) process.exit(130);
if (limit.aborted) {
  failed += 1;
  console.log("The run exceeded its time limit and was stopped.");
}
console.log();
for (const { scenario = "", description = "", figure = "", verdict = "" } of rows)
  console.log(`${verdict.padEnd(7)} ${scenario.padEnd(20)} ${description}: ${figure}`);
console.log(`\n${passedCount} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
