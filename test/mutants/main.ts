import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createShutdownSignal } from "#bin/shutdown-signal.ts";
import { UNREACHABLE_GUARDS } from "#test/unreachable-guards.ts";
import { type Mutant, mutatedFile } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

// Applies mutants one at a time in a temporary copy of this tree, runs the tests that should fail, and
// reports mutants that no test kills. `--only=TEXT` selects mutants whose area or name contains it,
// `--list` lists them, `--no-baseline` skips the run without mutants.

/** The required percentage of killed mutants. */
const MIN_KILLED_PERCENT = 90;
/** A run that exceeds this limit counts as killed. */
const RUN_TIMEOUT_MS = 10 * 60_000;
const EXCLUDED_FOLDERS = [
  ".git",
  "node_modules",
  ".data",
  ".cache",
  "build",
  "test-results",
  "backups",
];
const GUARDS_TEST = "test/sql-guards.test.ts";
const VITEST = "node_modules/vitest/vitest.mjs";

type Run = { outcome: "killed" | "survived" | "invalid"; detail: string };

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean" },
    "no-baseline": { type: "boolean" },
  },
});
const selected = MUTANTS.filter(
  ({ area, name }) => !options.only || `${area}: ${name}`.includes(options.only),
);
if (options.list) {
  for (const { area, name } of selected) console.log(`${area}: ${name}`);
  process.exit(0);
}

const signal = createShutdownSignal();
const copy = copyTree();
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));

const tests = [...new Set(selected.flatMap((mutant) => mutant.tests))];
if (!options["no-baseline"]) {
  const { outcome, detail } = await runTests(tests, { stopAtFirstFailure: false });
  if (outcome !== "survived") {
    console.error(`The tests fail without a mutant: ${detail}`);
    process.exit(1);
  }
}

const results: { mutant: Mutant; run: Run }[] = [];
for (const mutant of selected) {
  if (signal.aborted) break;
  const run = await testMutant(mutant);
  results.push({ mutant, run });
  console.log(`${run.outcome.padEnd(8)} ${mutant.area}: ${mutant.name} (${run.detail})`);
}
const guards = options.only ? null : await dropGuards();
process.exit(report() ? 0 : 1);

/** Copies this tree without build output and links node_modules. Returns the path of the copy. */
function copyTree(): string {
  const root = process.cwd();
  const target = mkdtempSync(join(tmpdir(), "furlong-mutants-"));
  // The test database can run as another user.
  chmodSync(target, 0o755);
  cpSync(root, target, {
    recursive: true,
    filter: (source) => !EXCLUDED_FOLDERS.includes(relative(root, source).split("/")[0] ?? ""),
  });
  symlinkSync(resolve("node_modules"), join(target, "node_modules"));
  return target;
}

async function testMutant(mutant: Mutant): Promise<Run> {
  let mutated: { path: string; text: string };
  try {
    mutated = mutatedFile(mutant, copy);
  } catch (error) {
    return { outcome: "invalid", detail: (error as Error).message };
  }
  const path = join(copy, mutated.path);
  const original = existsSync(path) ? readFileSync(path) : null;
  writeFileSync(path, mutated.text);
  try {
    return await runTests(mutant.tests, { stopAtFirstFailure: true });
  } finally {
    if (original) writeFileSync(path, original);
    else rmSync(path);
  }
}

/** Runs test files in the copy. A run without a passed or failed test is invalid. */
async function runTests(
  files: readonly string[],
  { stopAtFirstFailure, env = {} }: { stopAtFirstFailure: boolean; env?: NodeJS.ProcessEnv },
): Promise<Run> {
  const reportFile = join(copy, ".cache/mutants.json");
  mkdirSync(dirname(reportFile), { recursive: true });
  rmSync(reportFile, { force: true });
  const args = [
    VITEST,
    "run",
    "--maxWorkers=1",
    ...(stopAtFirstFailure ? ["--bail=1"] : []),
    "--reporter=json",
    `--outputFile=${reportFile}`,
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-2_000);
    });
  let isTimedOut = false;
  const terminate = (isTimeout: boolean) => {
    isTimedOut = isTimeout;
    child.kill("SIGTERM");
  };
  const timeout = setTimeout(() => terminate(true), RUN_TIMEOUT_MS);
  const stop = () => terminate(false);
  signal.addEventListener("abort", stop);
  await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timeout);
  signal.removeEventListener("abort", stop);
  if (isTimedOut) return { outcome: "killed", detail: "the tests timed out" };
  if (!existsSync(reportFile))
    return { outcome: "invalid", detail: `no test ran: ${output.trim().slice(-500)}` };
  return toRun(JSON.parse(readFileSync(reportFile, "utf8")));
}

type VitestReport = {
  numPassedTests: number;
  testResults: {
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

function toRun({ numPassedTests, testResults }: VitestReport): Run {
  const assertions = testResults.flatMap((file) => file.assertionResults);
  const failed = assertions.find((assertion) => assertion.status === "failed");
  if (failed) return { outcome: "killed", detail: failed.fullName };
  // A failed hook fails its tests; a file without tests failed to load.
  const failedFile = testResults.find((file) => file.status === "failed");
  if (failedFile)
    return {
      outcome: failedFile.assertionResults.length > 0 ? "killed" : "invalid",
      detail: failedFile.message.slice(0, 300),
    };
  if (numPassedTests === 0) return { outcome: "invalid", detail: "no test ran" };
  return { outcome: "survived", detail: `${numPassedTests} tests passed` };
}

/** Drops constraints, unique indexes and triggers one at a time, in one run of their test. */
async function dropGuards(): Promise<{ guards: string[]; missed: string[] } | null> {
  if (signal.aborted) return null;
  const file = join(copy, ".cache/guards.json");
  const { outcome, detail } = await runTests([GUARDS_TEST], {
    stopAtFirstFailure: false,
    env: { GUARDS_REPORT: file },
  });
  if (outcome !== "survived" || !existsSync(file)) {
    console.error(`The guards could not be dropped: ${detail}`);
    return null;
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Prints the counts per area and every survivor. Returns true if enough mutants were killed. */
function report(): boolean {
  const filterResults = (outcome: Run["outcome"], area?: string) =>
    results.filter(({ mutant, run }) => run.outcome === outcome && (!area || mutant.area === area));
  console.log("");
  for (const area of new Set(selected.map((mutant) => mutant.area)))
    console.log(
      `${area.padEnd(10)} ${filterResults("killed", area).length} of ${results.filter(({ mutant }) => mutant.area === area).length} killed`,
    );
  if (guards)
    console.log(
      `${"guards".padEnd(10)} ${guards.guards.length - guards.missed.length} of ${guards.guards.length} detected when dropped`,
    );
  for (const { mutant } of filterResults("survived"))
    console.log(
      `survived: ${mutant.area}: ${mutant.name}${mutant.equivalentBecause ? `. Explained: ${mutant.equivalentBecause}` : ""}`,
    );
  for (const name of guards?.missed ?? []) console.log(`survived: guards: ${name} dropped`);
  for (const [name, reason] of Object.entries(guards ? UNREACHABLE_GUARDS : {}))
    console.log(`not reachable: guards: ${name}. Explained: ${reason}`);
  for (const { mutant, run } of filterResults("invalid"))
    console.log(`invalid: ${mutant.area}: ${mutant.name}: ${run.detail}`);
  for (const { mutant } of filterResults("killed"))
    if (mutant.equivalentBecause)
      console.log(`killed, although explained: ${mutant.area}: ${mutant.name}`);
  const total = results.length + (guards?.guards.length ?? 0);
  const missed = filterResults("survived").length + (guards?.missed.length ?? 0);
  const unexplained = filterResults("survived").filter(
    ({ mutant }) => !mutant.equivalentBecause,
  ).length;
  const invalid = filterResults("invalid").length;
  const killed = total - missed - invalid;
  const percent = total > 0 ? (killed / total) * 100 : 0;
  console.log(
    `\n${total} mutants, ${killed} killed (${percent.toFixed(1)} %), ${missed} survived, ${invalid} invalid`,
  );
  return (
    !signal.aborted &&
    invalid === 0 &&
    unexplained + (guards?.missed.length ?? 0) === 0 &&
    percent >= MIN_KILLED_PERCENT
  );
}
