// The launcher: `node bin/furlong.mjs COMMAND [ARGUMENTS]`. The npm scripts of package.json call it.
// Runs on Node 20 or later, before the dependencies are installed.
import { runScript } from "./setup.mjs";

/**
 * The script of each command, which runs on the installed Node. `needsDevDependencies` also installs
 * the development dependencies; `nodeOptions` are passed to Node before the script.
 */
const COMMANDS = {
  start: { script: "bin/serve.ts", summary: "build, migrate and serve; the demo by default" },
  dev: {
    script: "bin/dev.ts",
    // Selects the development builds of libraries, which explain their errors.
    nodeOptions: ["--conditions=development"],
    summary: "serve as start does, with hot reload",
  },
  test: {
    script: "bin/check.ts",
    needsDevDependencies: true,
    summary: "run the checks and tests that guard every change",
  },
  "test:days": {
    script: "bin/check-days.ts",
    needsDevDependencies: true,
    summary: "run browser tests on chosen days of the calendar",
  },
  "test:more": {
    script: "bin/check-more.ts",
    needsDevDependencies: true,
    summary: "run the tests that take longer, for releases",
  },
  bench: {
    script: (args) => (args.includes("--lighthouse") ? "bench/lighthouse.ts" : "bench/main.ts"),
    needsDevDependencies: true,
    summary: "run the benchmarks (--full, --only NAME, --lighthouse)",
  },
  browsers: {
    script: "e2e/browsers/main.ts",
    needsDevDependencies: true,
    summary: "run the main user journeys in Firefox and WebKit",
  },
  books: {
    script: "bin/integrity-checks.ts",
    summary: "check every invariant of the current database",
  },
  proof: {
    script: "bin/proof.ts",
    summary:
      "check a public log (verify URL|FOLDER), or continue your own (confirm, rotate-key, new-log)",
  },
  doctor: { script: "bin/doctor.ts", summary: "check a configured installation ([FOLDER])" },
  "payments:check": {
    script: "bin/payments-check.ts",
    summary: "call the payment providers with the configured keys; reads only",
  },
  backup: {
    script: "bin/backup.ts",
    summary: "write a backup, also while Furlong is running ([FOLDER])",
  },
  "import-race-day": {
    script: "bin/import-race-day.ts",
    summary: "preview the import of races and runners; --yes imports them (FILE)",
  },
  restore: { script: "bin/restore.ts", summary: "restore a backup (FOLDER)" },
  chaos: {
    script: "test/chaos/main.ts",
    needsDevDependencies: true,
    summary: "run load and fault tests (--quick, --only NAME)",
  },
  mutants: {
    script: "test/mutants/main.ts",
    needsDevDependencies: true,
    summary: "apply mutants and report those that no test kills",
  },
  screenshots: {
    script: "bin/screenshots.ts",
    needsDevDependencies: true,
    summary: "take screenshots of a running demo (URL [FOLDER], --readme)",
  },
  icons: { script: "bin/draw-icons.ts", summary: "draw the icons in public/ from the logo" },
};

function usage() {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return ["Usage: node bin/furlong.mjs COMMAND [ARGUMENTS]", "", ...lines].join("\n");
}

const [name, ...args] = process.argv.slice(2);
if (name === "help" || name === "--help") {
  console.log(usage());
} else if (name === undefined || !Object.hasOwn(COMMANDS, name)) {
  if (name !== undefined) console.error(`Unknown command: ${name}\n`);
  console.error(usage());
  process.exitCode = 2;
} else {
  const { script, nodeOptions = [], needsDevDependencies = false } = COMMANDS[name];
  const path = typeof script === "function" ? script(args) : script;
  await runScript(path, { args, nodeOptions, needsDevDependencies });
}
