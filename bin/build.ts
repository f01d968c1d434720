import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireProcessLock } from "#platform/postgres/process-lock.server.ts";
import { runNode } from "./run-node.ts";
import { PREPARATION_FOLDER } from "./server-build.ts";

type Part = { stampFile: string; command: string[] };

const PREPARATION: Part = {
  stampFile: `${PREPARATION_FOLDER}/.sources`,
  command: ["bin/build-preparation.ts"],
};
const APPLICATION: Part = {
  stampFile: "build/.sources",
  command: ["node_modules/@react-router/dev/bin.cjs", "build"],
};
const SOURCES = [
  "src",
  "content",
  "demo",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "package.json",
  "package-lock.json",
  "bin/build-preparation.ts",
  "bin/build-worker.ts",
  "bin/bundled-packages.ts",
  "bin/chunk-groups.ts",
  "bin/mdx-plugin.ts",
  "bin/precompress.ts",
  "bin/supported-browsers.ts",
];

/** Builds both parts. */
export async function buildIfStale(signal?: AbortSignal): Promise<void> {
  await buildPreparationIfStale(signal);
  await buildApplicationIfStale(signal);
}

/** Builds what `bin/prepare.ts` runs, as `buildApplicationIfStale` builds the rest. It is a tenth of the build. */
export async function buildPreparationIfStale(signal?: AbortSignal): Promise<void> {
  await buildPartIfStale(PREPARATION, signal);
}

/**
 * Builds the application unless the existing build is up to date. Throws an Error with the output
 * of a failed build.
 */
export async function buildApplicationIfStale(signal?: AbortSignal): Promise<void> {
  if (isCurrent(APPLICATION)) return;
  console.log("Building ...");
  const startedAt = Date.now();
  await buildPartIfStale(APPLICATION, signal);
  if (!signal?.aborted) console.log(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

async function buildPartIfStale(part: Part, signal?: AbortSignal): Promise<void> {
  if (isCurrent(part)) return;
  mkdirSync(".cache", { recursive: true });
  const lock = await acquireProcessLock(".cache/build.lock", "", 300_000);
  if (!lock.ok) throw new Error(`Process ${lock.holder.pid} is still building.`);
  try {
    if (!isCurrent(part)) await build(part, signal);
  } finally {
    lock.release();
  }
}

async function build({ stampFile, command }: Part, signal?: AbortSignal): Promise<void> {
  const sources = hashSources();
  rmSync(stampFile, { force: true });
  const { code, output } = await runNode(command, {
    env: { ...process.env, NODE_ENV: "production" },
    signal,
    quiet: true,
  });
  if (signal?.aborted) return;
  if (code !== 0) throw new Error(`${output}\nThe build failed.`);
  writeFileSync(stampFile, sources);
}

function isCurrent({ stampFile }: Part): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === hashSources();
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
