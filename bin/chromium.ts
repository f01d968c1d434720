import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { runNode } from "./run-node.ts";

const PACKAGE = "node_modules/@sparticuz/chromium";
const OLDEST_PACKAGE = "node_modules/chromium-106";
const SYSTEM_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Returns the path of a working Chromium: CHROMIUM_PATH if set, otherwise the first one that starts.
 * Tries the npm dependency, so that a run has the same browser on every machine, then system paths,
 * Playwright's download and, as root, apt-get. Throws if none starts.
 */
export async function findChromium(): Promise<string> {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath)
    return (
      (await pathIfStarts(configuredPath)) ??
      fail(`${configuredPath} (CHROMIUM_PATH) does not start.`)
    );
  const bundledPath = await pathIfStarts(await unpackPackage());
  if (bundledPath) return bundledPath;
  for (const path of SYSTEM_PATHS) {
    if (existsSync(path) && (await pathIfStarts(path))) return path;
  }
  return (
    (await pathIfStarts(await installWithPlaywright())) ??
    (await pathIfStarts(await installWithApt())) ??
    fail("No working Chromium found. Install one and set CHROMIUM_PATH.")
  );
}

/**
 * Returns the path of the oldest supported Chromium, or null on platforms that its package does not
 * support. Does not check that it starts, because this version has no `--version`.
 * @internal
 */
export async function findOldestChromium(): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const path = await unpack(
    OLDEST_PACKAGE,
    `import files from "chromium-106/build/lambdafs.js";
    for (const name of ["chromium.br", "swiftshader.tar.br", "aws.tar.br"])
      await files.inflate("${OLDEST_PACKAGE}/bin/" + name);`,
  );
  return path ?? fail("The oldest supported Chromium could not be unpacked.");
}

async function unpackPackage(): Promise<string | null> {
  return await unpack(
    PACKAGE,
    `import chromium, { inflate } from "@sparticuz/chromium";
    await chromium.executablePath();
    await inflate("${PACKAGE}/bin/al2023.tar.br");`,
  );
}

/**
 * Unpacks the Chromium of an npm package once per version, with a script that uses the package's
 * own tools. Returns the path of a wrapper script that sets the paths of libraries and fonts, or
 * null when unpacking fails or the platform is not supported.
 */
async function unpack(packageDir: string, script: string): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const { version } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8"));
  const folder = resolve(".cache", `chromium-${version}`);
  const wrapper = join(folder, "start");
  if (existsSync(wrapper)) return wrapper;
  console.log(`Unpacking Chromium ${version} ...`);
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  // The package unpacks to TMPDIR, where it would reuse incomplete files of a concurrent process.
  const { code, output } = await runNode(["--input-type=module", "--eval", script], {
    env: { ...process.env, TMPDIR: partial },
    quiet: true,
  });
  if (code !== 0) {
    console.error(output);
    return null;
  }
  writeFileSync(join(partial, "fonts.conf"), createFontsConfig(folder));
  writeFileSync(join(partial, "start"), createWrapperScript());
  chmodSync(join(partial, "start"), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
  return wrapper;
}

function createWrapperScript(): string {
  return `#!/bin/sh
here="$(dirname "$(readlink -f "$0")")"
export LD_LIBRARY_PATH="$here/al2023/lib:$here/aws/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`;
}

function createFontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>${folder}/aws/.fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}

async function installWithPlaywright(): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  if (existsSync(path)) return path;
  console.log("Installing Chromium with Playwright ...");
  const cli = "node_modules/@playwright/test/cli.js";
  await runNode([cli, "install", "chromium", "--no-shell"], { quiet: true });
  return existsSync(path) ? path : null;
}

async function installWithApt(): Promise<string | null> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  console.log("Installing Chromium with apt-get ...");
  const run = promisify(execFile);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run("apt-get", ["update"], { env });
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
  } catch {
    return null;
  }
  return "/usr/bin/chromium";
}

/** Returns the path if it is a browser that starts on this machine, otherwise null. */
async function pathIfStarts(path: string | null): Promise<string | null> {
  if (!path) return null;
  try {
    await promisify(execFile)(path, ["--version", "--no-sandbox"], { timeout: 20_000 });
    return path;
  } catch {
    return null;
  }
}

function fail(message: string): never {
  throw new Error(message);
}
