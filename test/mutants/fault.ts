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
 * there exactly once and is replaced. The tests named should notice.
 */
export type Fault = {
  area: Area;
  /** What is wrong once it is planted. */
  name: string;
  find: string;
  replace: string;
  /** Test files, the one most likely to notice first. */
  tests: readonly string[];
  /** Why no test can notice, where the fault has no effect that anyone could see. */
  noEffect?: string;
} & ({ file: string } | { sqlFunction: string });

const MIGRATIONS = "db/migrations";
/** Comes after every migration, and so replaces what they define. */
const PLANTED_MIGRATION = `${MIGRATIONS}/9999-planted-fault.sql`;

/** The file that plants the fault, with its text. Throws where the fault does not fit the source any more. */
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

/** The last `create function` of this name in the migrations, as a statement that replaces it. */
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
