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
const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Returns the path of a working Chromium: CHROMIUM_PATH if set, otherwise the first that starts of
 * an installed one, the npm dependency, Playwright's and, as root, the system package. Throws if
 * none starts.
 */
export async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) return (await starts(given)) ?? fail(`${given} (CHROMIUM_PATH) does not start.`);
  for (const path of INSTALLED) {
    if (existsSync(path) && (await starts(path))) return path;
  }
  return (
    (await starts(await unpacked())) ??
    (await starts(await fromPlaywright())) ??
    (await starts(await fromSystem())) ??
    fail("No working Chromium found. Install one and set CHROMIUM_PATH.")
  );
}

/**
 * Returns the path of the oldest supported Chromium, or null on platforms that its package does not
 * support. Does not check that it starts, because this version has no `--version`.
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

async function unpacked(): Promise<string | null> {
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
async function unpack(from: string, script: string): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const { version } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const folder = resolve(".cache", `chromium-${version}`);
  const wrapper = join(folder, "start");
  if (existsSync(wrapper)) return wrapper;
  console.log(`Unpacking Chromium ${version} ...`);
  const half = `${folder}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  // The package unpacks to TMPDIR, where it would reuse incomplete files of a concurrent process.
  const { code, output } = await runNode(["--input-type=module", "--eval", script], {
    env: { ...process.env, TMPDIR: half },
    quiet: true,
  });
  if (code !== 0) {
    console.error(output);
    return null;
  }
  writeFileSync(join(half, "fonts.conf"), fontsConfiguration(folder));
  writeFileSync(join(half, "start"), wrapperScript());
  chmodSync(join(half, "start"), 0o755);
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
  return wrapper;
}

function wrapperScript(): string {
  return `#!/bin/sh
here="$(dirname "$(readlink -f "$0")")"
export LD_LIBRARY_PATH="$here/al2023/lib:$here/aws/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`;
}

function fontsConfiguration(folder: string): string {
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

async function fromPlaywright(): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  if (existsSync(path)) return path;
  console.log("Asking Playwright for a Chromium ...");
  const cli = "node_modules/@playwright/test/cli.js";
  await runNode([cli, "install", "chromium", "--no-shell"], { quiet: true });
  return existsSync(path) ? path : null;
}

async function fromSystem(): Promise<string | null> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  console.log("Asking the system's packages for a Chromium ...");
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
async function starts(path: string | null): Promise<string | null> {
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
