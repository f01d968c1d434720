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
import { stopSignal } from "#bin/stop-signal.ts";
import { UNREACHABLE_GUARDS } from "#test/unreachable-guards.ts";
import { type Fault, plantedFile } from "./fault.ts";
import { FAULTS } from "./faults.ts";

// Plants faults one at a time in a temporary copy of this tree, runs the tests that should fail, and
// reports faults that no test detected. `--only=TEXT` selects faults whose area or name contains it,
// `--list` lists them, `--no-baseline` skips the run without faults.

/** The required share of detected faults. */
const WANTED_PERCENT = 90;
/** A hanging run counts as detected. */
const LIMIT_MS = 10 * 60_000;
const NOT_COPIED = [".git", "node_modules", ".data", ".cache", "build", "test-results", "backups"];
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
const chosen = FAULTS.filter(
  ({ area, name }) => !options.only || `${area}: ${name}`.includes(options.only),
);
if (options.list) {
  for (const { area, name } of chosen) console.log(`${area}: ${name}`);
  process.exit(0);
}

const signal = stopSignal();
const copy = copyOfTree();
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));

const tests = [...new Set(chosen.flatMap((fault) => fault.tests))];
if (!options["no-baseline"]) {
  const { outcome, detail } = await runTests(tests, { stopsAtFirst: false });
  if (outcome !== "survived") {
    console.error(`Without any fault the tests do not pass: ${detail}`);
    process.exit(1);
  }
}

const results: { fault: Fault; run: Run }[] = [];
for (const fault of chosen) {
  if (signal.aborted) break;
  const run = await tryFault(fault);
  results.push({ fault, run });
  console.log(`${run.outcome.padEnd(8)} ${fault.area}: ${fault.name} (${run.detail})`);
}
const guards = options.only ? null : await dropGuards();
process.exit(report() ? 0 : 1);

/** Copies this tree without build output; packages are linked. */
function copyOfTree(): string {
  const root = process.cwd();
  const target = mkdtempSync(join(tmpdir(), "furlong-mutants-"));
  // The database of the tests may have to run as another user.
  chmodSync(target, 0o755);
  cpSync(root, target, {
    recursive: true,
    filter: (source) => !NOT_COPIED.includes(relative(root, source).split("/")[0] ?? ""),
  });
  symlinkSync(resolve("node_modules"), join(target, "node_modules"));
  return target;
}

async function tryFault(fault: Fault): Promise<Run> {
  let planted: { path: string; text: string };
  try {
    planted = plantedFile(fault, copy);
  } catch (error) {
    return { outcome: "invalid", detail: (error as Error).message };
  }
  const path = join(copy, planted.path);
  const original = existsSync(path) ? readFileSync(path) : null;
  writeFileSync(path, planted.text);
  try {
    return await runTests(fault.tests, { stopsAtFirst: true });
  } finally {
    if (original) writeFileSync(path, original);
    else rmSync(path);
  }
}

/** Runs test files in the copy. A run that ends without any test, failed or passed, is invalid. */
async function runTests(
  files: readonly string[],
  { stopsAtFirst, env = {} }: { stopsAtFirst: boolean; env?: NodeJS.ProcessEnv },
): Promise<Run> {
  const reportFile = join(copy, ".cache/mutants.json");
  mkdirSync(dirname(reportFile), { recursive: true });
  rmSync(reportFile, { force: true });
  const args = [
    VITEST,
    "run",
    "--maxWorkers=1",
    ...(stopsAtFirst ? ["--bail=1"] : []),
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
  let isOverLimit = false;
  const end = (isLimit: boolean) => {
    isOverLimit = isLimit;
    child.kill("SIGTERM");
  };
  const limit = setTimeout(() => end(true), LIMIT_MS);
  const stop = () => end(false);
  signal.addEventListener("abort", stop);
  await new Promise((done) => child.on("close", done));
  clearTimeout(limit);
  signal.removeEventListener("abort", stop);
  if (isOverLimit) return { outcome: "killed", detail: "the tests did not end" };
  if (!existsSync(reportFile))
    return { outcome: "invalid", detail: `no test was run: ${output.trim().slice(-500)}` };
  return outcomeOf(JSON.parse(readFileSync(reportFile, "utf8")));
}

type VitestReport = {
  numPassedTests: number;
  testResults: {
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

function outcomeOf({ numPassedTests, testResults }: VitestReport): Run {
  const all = testResults.flatMap((each) => each.assertionResults);
  const failed = all.find((each) => each.status === "failed");
  if (failed) return { outcome: "killed", detail: failed.fullName };
  // A failed hook fails its tests; a file without tests failed to load.
  const broken = testResults.find((each) => each.status === "failed");
  if (broken)
    return {
      outcome: broken.assertionResults.length > 0 ? "killed" : "invalid",
      detail: broken.message.slice(0, 300),
    };
  if (numPassedTests === 0) return { outcome: "invalid", detail: "no test was run" };
  return { outcome: "survived", detail: `${numPassedTests} tests passed` };
}

/** Drops constraints, unique indexes and triggers one at a time, in one run of their test. */
async function dropGuards(): Promise<{ guards: string[]; missed: string[] } | null> {
  if (signal.aborted) return null;
  const file = join(copy, ".cache/guards.json");
  const { outcome, detail } = await runTests([GUARDS_TEST], {
    stopsAtFirst: false,
    env: { GUARDS_REPORT: file },
  });
  if (outcome !== "survived" || !existsSync(file)) {
    console.error(`The guards could not be dropped: ${detail}`);
    return null;
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Prints the counts per area and every survivor. Returns whether the required share was detected. */
function report(): boolean {
  const of = (outcome: Run["outcome"], area?: string) =>
    results.filter(({ fault, run }) => run.outcome === outcome && (!area || fault.area === area));
  console.log("");
  for (const area of new Set(chosen.map((fault) => fault.area)))
    console.log(
      `${area.padEnd(10)} ${of("killed", area).length} of ${results.filter(({ fault }) => fault.area === area).length} noticed`,
    );
  if (guards)
    console.log(
      `${"guards".padEnd(10)} ${guards.guards.length - guards.missed.length} of ${guards.guards.length} noticed when dropped`,
    );
  for (const { fault } of of("survived"))
    console.log(
      `survived: ${fault.area}: ${fault.name}${fault.noEffect ? `. Explained: ${fault.noEffect}` : ""}`,
    );
  for (const name of guards?.missed ?? []) console.log(`survived: guards: ${name} dropped`);
  for (const [name, reason] of Object.entries(guards ? UNREACHABLE_GUARDS : {}))
    console.log(`not reachable: guards: ${name}. Explained: ${reason}`);
  for (const { fault, run } of of("invalid"))
    console.log(`invalid: ${fault.area}: ${fault.name}: ${run.detail}`);
  for (const { fault } of of("killed"))
    if (fault.noEffect)
      console.log(`noticed, though it is explained: ${fault.area}: ${fault.name}`);
  const planted = results.length + (guards?.guards.length ?? 0);
  const missed = of("survived").length + (guards?.missed.length ?? 0);
  const unexplained = of("survived").filter(({ fault }) => !fault.noEffect).length;
  const invalid = of("invalid").length;
  const killed = planted - missed - invalid;
  const percent = planted > 0 ? (killed / planted) * 100 : 0;
  console.log(
    `\n${planted} planted, ${killed} noticed (${percent.toFixed(1)} %), ${missed} survived, ${invalid} invalid`,
  );
  return (
    !signal.aborted &&
    invalid === 0 &&
    unexplained + (guards?.missed.length ?? 0) === 0 &&
    percent >= WANTED_PERCENT
  );
}
