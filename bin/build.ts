import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireProcessLock } from "#platform/postgres/process-lock.server.ts";
import { runNode } from "./run-node.ts";

const STAMP_FILE = "build/.sources";
const SOURCES = [
  "src",
  "content",
  "demo",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "package.json",
  "package-lock.json",
  "bin/build-worker.ts",
  "bin/chunk-groups.ts",
  "bin/mdx-plugin.ts",
  "bin/precompress.ts",
  "bin/supported-browsers.ts",
];

/**
 * Builds the application unless the existing build is up to date. Throws an Error with the output
 * of a failed build.
 */
export async function buildIfStale(signal?: AbortSignal): Promise<void> {
  if (isBuildCurrent()) return;
  mkdirSync(".cache", { recursive: true });
  const lock = await acquireProcessLock(".cache/build.lock", "", 300_000);
  if (!lock.ok) throw new Error(`Process ${lock.holder.pid} is still building.`);
  try {
    if (!isBuildCurrent()) await build(signal);
  } finally {
    lock.release();
  }
}

async function build(signal?: AbortSignal): Promise<void> {
  console.log("Building ...");
  const startedAt = Date.now();
  const sources = hashSources();
  rmSync(STAMP_FILE, { force: true });
  const reactRouterCli = "node_modules/@react-router/dev/bin.cjs";
  const { code, output } = await runNode([reactRouterCli, "build"], {
    env: { ...process.env, NODE_ENV: "production" },
    signal,
    quiet: true,
  });
  if (signal?.aborted) return;
  if (code !== 0) throw new Error(`${output}\nThe build failed.`);
  writeFileSync(STAMP_FILE, sources);
  console.log(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

function isBuildCurrent(): boolean {
  return existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, "utf8") === hashSources();
}

function hashSources(): string {
  const hash = createHash("sha256").update(process.version);
  for (const file of SOURCES.flatMap(listFiles)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (path.includes(".")) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
