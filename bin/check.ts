import { setImmediate } from "node:timers/promises";
import {
  buildStep,
  finish,
  type Outcome,
  runPlaywright,
  runQuietly,
  runVitest,
  signal,
  startDemoFolder,
  step,
  toOutcome,
} from "./check-steps.ts";
import { formatLinesByFolder } from "./lines-by-folder.ts";
import { lintClient } from "./lint-client.ts";
import { checkTerminology } from "./terminology.ts";

// `npm test`: the checks and tests that guard every change. `bin/check-more.ts` runs those that take longer.

const TOOLS = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  reactRouter: "node_modules/@react-router/dev/bin.cjs",
  typescript: "node_modules/typescript/bin/tsc",
  dependencyCruiser: "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
  knip: "node_modules/knip/bin/knip.js",
};

/** Runs the commands of a tool in order and stops at the first one that fails. */
async function runTool(...commands: string[][]): Promise<Outcome> {
  for (const command of commands) {
    const { code, output } = await runQuietly(command);
    if (code !== 0) return toOutcome(false, output);
  }
  return toOutcome(true);
}

async function checkLayering(): Promise<Outcome> {
  const folders = ["src", "demo", "bin", "test", "e2e", "bench"];
  const args = [...folders, "--config", ".dependency-cruiser.mjs"];
  const { code, output } = await runQuietly([TOOLS.dependencyCruiser, ...args]);
  const modules = Number(/(\d+) modules/.exec(output)?.[1] ?? 0);
  if (modules === 0) return toOutcome(false, `${output}\nNo modules were checked.`);
  return toOutcome(code === 0, output);
}

async function checkTerms(): Promise<Outcome> {
  // The check blocks this process, so the other steps start their tools first.
  await setImmediate();
  const { files, findings } = checkTerminology();
  if (files === 0) return toOutcome(false, "No files were checked.");
  return toOutcome(findings.length === 0, findings.join("\n"));
}

async function checkClientApis(): Promise<Outcome> {
  const { files, findings } = await lintClient();
  if (files === 0) return toOutcome(false, "No scripts were checked.");
  return toOutcome(findings.length === 0, findings.join("\n"));
}

const [isBuilt] = await Promise.all([
  buildStep(),
  step("formatting and lint", () => runTool([TOOLS.biome, "ci", "--colors=off"])),
  step("types", () => runTool([TOOLS.reactRouter, "typegen"], [TOOLS.typescript, "--noEmit"])),
  step("layering", checkLayering),
  step("unused code", () => runTool([TOOLS.knip], [TOOLS.knip, "--production"])),
  step("terminology", checkTerms),
]);
const requireBuild = (run: () => Promise<Outcome>) =>
  isBuilt ? run : async () => toOutcome(false, "Skipped: the build failed.");
const demoFolder = isBuilt ? startDemoFolder() : undefined;
await step("browser APIs in client scripts", requireBuild(checkClientApis));
await step("unit and integration tests", () => runVitest());
await step(
  "browser tests",
  requireBuild(async () =>
    runPlaywright("journeys", { extraEnv: { DEMO_FOLDER: await demoFolder?.path } }),
  ),
);
if (!signal.aborted) await demoFolder?.remove();
console.log(formatLinesByFolder() ?? "Lines by folder: unknown without git.");
finish({ failsOnFlaky: false });
