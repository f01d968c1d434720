import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { buildIfStale } from "./build.ts";
import { findChromium } from "./chromium.ts";
import { lintClient } from "./lint-client.ts";
import { runNode } from "./run-node.ts";
import { stopSignal } from "./stop-signal.ts";
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
const PRODUCT_VARIABLES =
  /^(PORT|HOST|APP_URL|APP_ENV|(MIGRATION_)?DATABASE_URL|DATA_DIR|STRIPE_.*|SMTP_URL|MAIL_FROM|(NOTIFICATION|SUPPORT|ADMIN)_EMAIL|ADMIN_PASSWORD|AUTH_SECRET|TRUSTED_PROXY|COMPANY_.*|METRICS_TOKEN|WEB_PROCESSES|DEMO_PUBLIC|NODE_ENV|BASE_URL)$/;

const signal = stopSignal();
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !PRODUCT_VARIABLES.test(name)),
);
const total = { passed: 0, failed: 0 };

/**
 * Runs a step, prints its name, duration and output, and adds its counts to the total. A step that
 * throws has failed. Returns true when the step passed.
 */
async function step(name: string, work: () => Promise<Outcome>): Promise<boolean> {
  if (signal.aborted) return false;
  const began = Date.now();
  const outcome = await work().catch((error: Error) => outcomeOf(false, error.message));
  if (signal.aborted) return false;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const { passed, failed, output } = outcome;
  const counts = passed + failed > 1 ? `, ${passed} passed, ${failed} failed` : "";
  console.log(`${failed > 0 ? "FAILED" : "ok    "} ${name} (${seconds} s${counts})`);
  if (failed > 0 && output) console.log(output.trimEnd());
  total.passed += passed;
  total.failed += failed;
  return failed === 0;
}

function outcomeOf(passed: boolean, output = ""): Outcome {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, output };
}

/** Runs the commands of a tool in order and stops at the first one that fails. */
async function tool(...commands: string[][]): Promise<Outcome> {
  for (const command of commands) {
    const { code, output } = await runNode(command, { env, signal, quiet: true });
    if (code !== 0) return outcomeOf(false, output);
  }
  return outcomeOf(true);
}

async function layering(): Promise<Outcome> {
  const folders = ["src", "bin", "test", "e2e", "bench"];
  const args = [...folders, "--config", ".dependency-cruiser.mjs"];
  const { code, output } = await runNode([TOOLS.dependencyCruiser, ...args], {
    env,
    signal,
    quiet: true,
  });
  const modules = Number(/(\d+) modules/.exec(output)?.[1] ?? 0);
  if (modules === 0) return outcomeOf(false, `${output}\nNo modules were checked.`);
  return outcomeOf(code === 0, output);
}

async function terminology(): Promise<Outcome> {
  const { files, findings } = checkTerminology();
  if (files === 0) return outcomeOf(false, "No files were checked.");
  return outcomeOf(findings.length === 0, findings.join("\n"));
}

/**
 * Runs a test runner with visible output. Reads the counts from its report, because an exit code of
 * 0 does not prove that any test ran.
 */
async function tests(
  report: string,
  command: string[],
  more: NodeJS.ProcessEnv,
  count: (report: string) => { passed: number; failed: number },
): Promise<Outcome> {
  rmSync(report, { force: true });
  const { code } = await runNode(command, { env: { ...env, ...more }, signal });
  if (!existsSync(report)) return outcomeOf(false, "The test run ended without a report.");
  const { passed, failed } = count(readFileSync(report, "utf8"));
  if (passed + failed === 0) return outcomeOf(false, "No tests were run.");
  if (code !== 0 && failed === 0)
    return { passed, failed: 1, output: "Something failed outside the tests." };
  return { passed, failed, output: "" };
}

function vitest(): Promise<Outcome> {
  const report = `${REPORTS}/vitest.json`;
  const options = ["--allowOnly=false", "--reporter=dot", "--reporter=json"];
  return tests(
    report,
    [TOOLS.vitest, "run", ...options, `--outputFile.json=${report}`],
    {},
    (text) => {
      const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(text);
      return { passed, failed };
    },
  );
}

async function playwright(): Promise<Outcome> {
  const report = `${REPORTS}/playwright.json`;
  const more = {
    CHROMIUM_PATH: await chromium,
    E2E_TLS: "journeys",
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
  return tests(report, [TOOLS.playwright, "test", "--reporter=dot,json"], more, (text) => {
    const { expected, flaky, unexpected } = JSON.parse(text).stats;
    return { passed: expected + flaky, failed: unexpected };
  });
}

/** Runs the chaos tests, which print their own counts. */
async function chaos(): Promise<Outcome> {
  const { code, output } = await runNode([CHAOS, "--quick"], { env, signal, quiet: true });
  const counts = /^(\d+) passed, (\d+) failed$/m.exec(output);
  const passed = Number(counts?.[1] ?? 0);
  const failed = Number(counts?.[2] ?? 0);
  if (passed + failed === 0) return outcomeOf(code === 0, output);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, output };
}

mkdirSync(REPORTS, { recursive: true });
const chromium = findChromium();
chromium.catch(() => {}); // reported by the step that awaits it

await Promise.all([
  step("formatting and lint", () => tool([TOOLS.biome, "ci", "--colors=off"])),
  step("types", () => tool([TOOLS.reactRouter, "typegen"], [TOOLS.typescript, "--noEmit"])),
  step("layering", layering),
  step("terminology", terminology),
  step("nothing unused", () => tool([TOOLS.knip, "--no-progress"])),
]);
const isBuilt = await step("build", async () => {
  await buildIfStale(signal);
  return outcomeOf(true);
});
async function clientApis(): Promise<Outcome> {
  const { files, findings } = await lintClient();
  if (files === 0) return outcomeOf(false, "Not one script was read.");
  return outcomeOf(findings.length === 0, findings.join("\n"));
}
const onTheBuild = (work: () => Promise<Outcome>) =>
  isBuilt ? work : async () => outcomeOf(false, "Skipped: the build failed.");
await step("browser APIs in client scripts", onTheBuild(clientApis));
await step("unit and integration tests", vitest);
await step("browser tests", onTheBuild(playwright));
if (existsSync(CHAOS)) await step("chaos tests (quick)", onTheBuild(chaos));

if (signal.aborted) process.exit(130);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
