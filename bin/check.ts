import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { buildIfStale } from "./build.ts";
import { findChromium } from "./chromium.ts";
import { lintClient } from "./lint-client.ts";
import { runNode } from "./run-node.ts";
import { createShutdownSignal } from "./shutdown-signal.ts";
import { checkTerminology } from "./terminology.ts";

type Outcome = { passed: number; failed: number; output: string };

const REPORTS = ".cache/reports";
const CHAOS = "test/chaos/main.ts";
const TOOLS = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  reactRouter: "node_modules/@react-router/dev/bin.cjs",
  typescript: "node_modules/typescript/bin/tsc",
  dependencyCruiser: "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
  knip: "node_modules/knip/bin/knip.js",
  vitest: "node_modules/vitest/vitest.mjs",
  playwright: "node_modules/@playwright/test/cli.js",
};
/** Configuration variables that the tests must not inherit from the shell. */
const CONFIGURATION_VARIABLES =
  /^(PORT|HOST|APP_URL|APP_ENV|(MIGRATION_)?DATABASE_URL|DATA_DIR|PAYMENT_PROVIDER.*|STRIPE_.*|SMTP_URL|MAIL_FROM|(NOTIFICATION|SUPPORT|ADMIN)_EMAIL|ADMIN_PASSWORD|AUTH_SECRET|TRUSTED_PROXY|COMPANY_.*|METRICS_TOKEN|WEB_PROCESSES|DEMO_PUBLIC|NODE_ENV|BASE_URL)$/;

const signal = createShutdownSignal();
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !CONFIGURATION_VARIABLES.test(name)),
);
const total = { passed: 0, failed: 0 };

/**
 * Runs a step, prints its name, duration and output, and adds its counts to the total. A step that
 * throws has failed. Returns true when the step passed.
 */
async function step(name: string, run: () => Promise<Outcome>): Promise<boolean> {
  if (signal.aborted) return false;
  const startedAt = Date.now();
  const outcome = await run().catch((error: Error) => toOutcome(false, error.message));
  if (signal.aborted) return false;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const { passed, failed, output } = outcome;
  const counts = passed + failed > 1 ? `, ${passed} passed, ${failed} failed` : "";
  console.log(`${failed > 0 ? "FAILED" : "ok    "} ${name} (${seconds} s${counts})`);
  if (failed > 0 && output) console.log(output.trimEnd());
  total.passed += passed;
  total.failed += failed;
  return failed === 0;
}

function toOutcome(passed: boolean, output = ""): Outcome {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, output };
}

/** Runs the commands of a tool in order and stops at the first one that fails. */
async function runTool(...commands: string[][]): Promise<Outcome> {
  for (const command of commands) {
    const { code, output } = await runNode(command, { env, signal, quiet: true });
    if (code !== 0) return toOutcome(false, output);
  }
  return toOutcome(true);
}

async function checkLayering(): Promise<Outcome> {
  const folders = ["src", "bin", "test", "e2e", "bench"];
  const args = [...folders, "--config", ".dependency-cruiser.mjs"];
  const { code, output } = await runNode([TOOLS.dependencyCruiser, ...args], {
    env,
    signal,
    quiet: true,
  });
  const modules = Number(/(\d+) modules/.exec(output)?.[1] ?? 0);
  if (modules === 0) return toOutcome(false, `${output}\nNo modules were checked.`);
  return toOutcome(code === 0, output);
}

async function checkTerms(): Promise<Outcome> {
  const { files, findings } = checkTerminology();
  if (files === 0) return toOutcome(false, "No files were checked.");
  return toOutcome(findings.length === 0, findings.join("\n"));
}

/**
 * Runs a test runner with visible output. Reads the counts from its report, because an exit code of
 * 0 does not prove that any test ran.
 */
async function runTests(
  reportFile: string,
  command: string[],
  extraEnv: NodeJS.ProcessEnv,
  count: (report: string) => { passed: number; failed: number },
): Promise<Outcome> {
  rmSync(reportFile, { force: true });
  const { code } = await runNode(command, { env: { ...env, ...extraEnv }, signal });
  if (!existsSync(reportFile)) return toOutcome(false, "The test run ended without a report.");
  const { passed, failed } = count(readFileSync(reportFile, "utf8"));
  if (passed + failed === 0) return toOutcome(false, "No tests were run.");
  if (code !== 0 && failed === 0)
    return { passed, failed: 1, output: "The run failed outside the tests." };
  return { passed, failed, output: "" };
}

function runVitest(): Promise<Outcome> {
  const report = `${REPORTS}/vitest.json`;
  const options = ["--allowOnly=false", "--reporter=dot", "--reporter=json"];
  return runTests(
    report,
    [TOOLS.vitest, "run", ...options, `--outputFile.json=${report}`],
    {},
    (text) => {
      const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(text);
      return { passed, failed };
    },
  );
}

async function runPlaywright(): Promise<Outcome> {
  const report = `${REPORTS}/playwright.json`;
  const extraEnv = {
    CHROMIUM_PATH: await chromium,
    E2E_TLS: "journeys",
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
  return runTests(report, [TOOLS.playwright, "test", "--reporter=dot,json"], extraEnv, (text) => {
    const { expected, flaky, unexpected } = JSON.parse(text).stats;
    return { passed: expected + flaky, failed: unexpected };
  });
}

/** Runs the chaos tests, which print their own counts. */
async function runChaos(): Promise<Outcome> {
  const { code, output } = await runNode([CHAOS, "--quick"], { env, signal, quiet: true });
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(output);
  const passed = Number(counts?.[1] ?? 0);
  const failed = Number(counts?.[2] ?? 0);
  if (passed + failed === 0) return toOutcome(code === 0, output);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, output };
}

mkdirSync(REPORTS, { recursive: true });
const chromium = findChromium();
chromium.catch(() => {}); // reported by the step that awaits it

await Promise.all([
  step("formatting and lint", () => runTool([TOOLS.biome, "ci", "--colors=off"])),
  step("types", () => runTool([TOOLS.reactRouter, "typegen"], [TOOLS.typescript, "--noEmit"])),
  step("layering", checkLayering),
  step("terminology", checkTerms),
  step("unused code", () => runTool([TOOLS.knip, "--no-progress"])),
]);
const isBuilt = await step("build", async () => {
  await buildIfStale(signal);
  return toOutcome(true);
});
async function checkClientApis(): Promise<Outcome> {
  const { files, findings } = await lintClient();
  if (files === 0) return toOutcome(false, "No scripts were checked.");
  return toOutcome(findings.length === 0, findings.join("\n"));
}
const requireBuild = (run: () => Promise<Outcome>) =>
  isBuilt ? run : async () => toOutcome(false, "Skipped: the build failed.");
await step("browser APIs in client scripts", requireBuild(checkClientApis));
await step("unit and integration tests", runVitest);
await step("browser tests", requireBuild(runPlaywright));
if (existsSync(CHAOS)) await step("chaos tests (quick)", requireBuild(runChaos));

if (signal.aborted) process.exit(130);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
