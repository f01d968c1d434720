import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Area =
  | "wallet"
  | "sales"
  | "payments"
  | "payouts"
  | "tips"
  | "domain"
  | "platform"
  | "admin";

/**
 * One planted fault: in a source file, or in the newest definition of an SQL function. `find` occurs
 * there exactly once and is replaced. The named tests should fail.
 */
export type Fault = {
  area: Area;
  /** What the fault breaks. */
  name: string;
  find: string;
  replace: string;
  /** Test files, the most likely to fail first. */
  tests: readonly string[];
  /** Why no test can detect it, for faults without an observable effect. */
  noEffect?: string;
} & ({ file: string } | { sqlFunction: string });

const MIGRATIONS = "db/migrations";
/** Runs after every migration and replaces what they define. */
const PLANTED_MIGRATION = `${MIGRATIONS}/9999-planted-fault.sql`;

/** Returns the file that plants the fault, with its text. Throws when the fault no longer matches the source. */
export function plantedFile(fault: Fault, root = process.cwd()): { path: string; text: string } {
  const isSql = "sqlFunction" in fault;
  const source = isSql
    ? newestDefinition(fault.sqlFunction, root)
    : readFileSync(join(root, fault.file), "utf8");
  const count = source.split(fault.find).length - 1;
  if (count !== 1)
    throw new Error(
      `"${fault.name}" does not apply: its text occurs ${count} times in ${isSql ? fault.sqlFunction : fault.file}`,
    );
  const text = source.replace(fault.find, () => fault.replace);
  return { path: isSql ? PLANTED_MIGRATION : fault.file, text };
}

/** Returns the last `create function` of this name in the migrations as a replacement statement. */
function newestDefinition(name: string, root: string): string {
  const folder = join(root, MIGRATIONS);
  const definitions = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(pattern(name))])
    .map(([text]) => text);
  const newest = definitions.at(-1);
  if (!newest) throw new Error(`no migration defines the function ${name}`);
  return newest.replace(/^create function/, "create or replace function");
}

function pattern(name: string): RegExp {
  return new RegExp(
    `^create (?:or replace )?function ${name}\\([\\s\\S]*?\\$\\$[\\s\\S]*?\\$\\$[^;]*;`,
    "gm",
  );
}
