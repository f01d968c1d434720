import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { ENVIRONMENT_VARIABLES } from "#platform/env.server.ts";
import { buildIfStale } from "./build.ts";
import { findChromium } from "./chromium.ts";
import { runNode } from "./run-node.ts";
import { createShutdownSignal } from "./shutdown-signal.ts";
import { readPlaywrightReport, readVitestReport, type TestReport } from "./test-report.ts";

// The steps of `npm test` and `npm run test:more`.

export type Outcome = { passed: number; failed: number; output: string; flaky?: string[] };

const REPORTS = ".cache/reports";
const VITEST = "node_modules/vitest/vitest.mjs";
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";

/** Aborts when the run is stopped. */
export const signal = createShutdownSignal();

/** The environment of the tests, without the settings that they must not inherit from the shell. */
const ownSettings = new Set([...ENVIRONMENT_VARIABLES, "NODE_ENV", "BASE_URL", "DEMO_FOLDER"]);
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !ownSettings.has(name)),
);

const total = { passed: 0, failed: 0 };
const flakyTests: string[] = [];
const durations: [step: string, seconds: number][] = [];
const { INSTALL_SECONDS } = process.env;
if (INSTALL_SECONDS) durations.push(["installation", Number(INSTALL_SECONDS)]);

mkdirSync(REPORTS, { recursive: true });
const chromium = findChromium();
chromium.catch(() => {}); // reported by the step that awaits it

/**
 * Runs a step, prints its name, duration and output, and adds its counts to the total. A step that
 * throws has failed. Returns true when the step passed.
 */
export async function step(name: string, run: () => Promise<Outcome>): Promise<boolean> {
  if (signal.aborted) return false;
  const startedAt = Date.now();
  const outcome = await run().catch((error: Error) => toOutcome(false, error.message));
  if (signal.aborted) return false;
  const seconds = (Date.now() - startedAt) / 1000;
  const { passed, failed, output, flaky = [] } = outcome;
  const counts = passed + failed > 1 ? `, ${passed} passed, ${failed} failed` : "";
  console.log(`${failed > 0 ? "FAILED" : "ok    "} ${name} (${seconds.toFixed(1)} s${counts})`);
  if (failed > 0 && output) console.log(output.trimEnd());
  durations.push([name, seconds]);
  flakyTests.push(...flaky);
  total.passed += passed;
  total.failed += failed;
  return failed === 0;
}

/** Builds the application. Returns true when the build is up to date. */
export function buildStep(): Promise<boolean> {
  return step("build", async () => {
    await buildIfStale(signal);
    return toOutcome(true);
  });
}

export function toOutcome(passed: boolean, output = ""): Outcome {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, output };
}

/** Runs a tool and returns its exit code and output. */
export function runQuietly(command: string[]): Promise<{ code: number; output: string }> {
  return runNode(command, { env, signal, quiet: true });
}

/**
 * Runs a script whose last line is `N passed, N failed`, as those of the chaos tests and of other browsers. Prints only
 * what it skipped, unless it fails.
 */
export async function runScript(command: string[]): Promise<Outcome> {
  const { code, output } = await runQuietly(command);
  for (const line of output.match(/^skipped\b.*/gim) ?? []) console.log(line);
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(output);
  const passed = Number(counts?.[1] ?? 0);
  const failed = Number(counts?.[2] ?? 0);
  if (passed + failed === 0) return toOutcome(code === 0, output);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, output };
}

/**
 * Runs a test runner with visible output. Reads the counts from its report, because an exit code of
 * 0 does not prove that any test ran.
 */
async function runTests(
  reportFile: string,
  command: string[],
  extraEnv: NodeJS.ProcessEnv,
  readReport: (json: string) => TestReport,
): Promise<Outcome> {
  rmSync(reportFile, { force: true });
  const { code } = await runNode(command, { env: { ...env, ...extraEnv }, signal });
  if (!existsSync(reportFile)) return toOutcome(false, "The test run ended without a report.");
  const { passed, failed, flaky } = readReport(readFileSync(reportFile, "utf8"));
  if (passed + failed === 0) return toOutcome(false, "No tests were run.");
  if (code !== 0 && failed === 0)
    return { passed, failed: 1, output: "The run failed outside the tests.", flaky };
  return { passed, failed, output: "", flaky };
}

/** Runs the unit and integration tests, or those of the given files. */
export function runVitest(files: string[] = [], extraEnv: NodeJS.ProcessEnv = {}) {
  const report = `${REPORTS}/vitest.json`;
  const options = ["--allowOnly=false", "--reporter=dot", "--reporter=json"];
  const command = [VITEST, "run", ...options, `--outputFile.json=${report}`, ...files];
  return runTests(report, command, extraEnv, readVitestReport);
}

/**
 * Starts to create the demo's data for the browser tests, which takes one processor core most of a minute. `path`
 * resolves with undefined if that fails: the browser tests then try again and report the error.
 */
export function startDemoFolder(): { path: Promise<string | undefined>; remove(): Promise<void> } {
  const child = spawn(process.execPath, ["test/support/prepare-demo-folder.ts"], {
    env,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = new Promise<undefined>((resolve) => child.once("exit", () => resolve(undefined)));
  const created = new Promise<string>((resolve) =>
    child.once("message", (path) => resolve(`${path}`)),
  );
  return {
    path: Promise.race([created, exited]),
    async remove() {
      child.kill();
      await exited;
    },
  };
}

/** Runs the browser tests of a scope of `playwright.config.ts`, or those of them that have a tag. */
export async function runPlaywright(
  scope: "plain" | "journeys" | "more" | "paystack",
  { tag, extraEnv: settings = {} }: { tag?: string; extraEnv?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> {
  const report = `${REPORTS}/playwright.json`;
  const extraEnv = {
    CHROMIUM_PATH: await chromium,
    E2E_SCOPE: scope,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...settings,
  };
  const command = [PLAYWRIGHT, "test", "--reporter=dot,json", ...(tag ? [`--grep=${tag}`] : [])];
  return runTests(report, command, extraEnv, readPlaywrightReport);
}

/**
 * Prints the flaky tests, the seconds of each step and the total, and ends the process. With
 * `failsOnFlaky`, a test that passed only on a retry counts as failed.
 */
export function finish({ failsOnFlaky }: { failsOnFlaky: boolean }): never {
  if (signal.aborted) process.exit(130);
  for (const title of flakyTests) console.log(`flaky: ${title}`);
  console.log("\nSeconds of each step (steps that run beside each other share the machine):");
  for (const [name, seconds] of durations)
    console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
  const retried = failsOnFlaky ? flakyTests.length : 0;
  const [passed, failed] = [total.passed - retried, total.failed + retried];
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
