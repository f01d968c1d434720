import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Area =
  | "wallet"
  | "sales"
  | "payments"
  | "payouts"
  | "racing"
  | "tips"
  | "proof"
  | "domain"
  | "platform"
  | "admin";

/**
 * A deliberate fault in a source file or in the newest definition of an SQL function or view. `find` must occur
 * exactly once in it and is replaced with `replace`. Then at least one of `tests` must fail.
 */
export type Mutant = {
  area: Area;
  /** The wrong behaviour. */
  name: string;
  find: string;
  replace: string;
  /** Test files, the most likely to fail first. */
  tests: readonly string[];
  /** The reason why no test can detect an equivalent mutant. */
  equivalentBecause?: string;
} & ({ file: string } | { sqlFunction: string });

const MIGRATIONS = "db/migrations";
/** A migration that runs after all others, so that it replaces their functions. */
const MUTANT_MIGRATION = `${MIGRATIONS}/9999-mutant.sql`;

/** Returns the path and the mutated text of the file to write. Throws when the mutant no longer matches the source. */
export function mutatedFile(mutant: Mutant, root = process.cwd()): { path: string; text: string } {
  const isSql = "sqlFunction" in mutant;
  const source = isSql
    ? newestDefinition(mutant.sqlFunction, root)
    : readFileSync(join(root, mutant.file), "utf8");
  const count = source.split(mutant.find).length - 1;
  if (count !== 1)
    throw new Error(
      `"${mutant.name}" does not apply: its text occurs ${count} times in ${isSql ? mutant.sqlFunction : mutant.file}`,
    );
  const text = source.replace(mutant.find, () => mutant.replace);
  return { path: isSql ? MUTANT_MIGRATION : mutant.file, text };
}

/** Returns the last definition of a function or view in the migrations as a replacement statement. */
function newestDefinition(name: string, root: string): string {
  const folder = join(root, MIGRATIONS);
  const definitions = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(pattern(name))])
    .map(([text]) => text);
  const newest = definitions.at(-1);
  if (!newest) throw new Error(`no migration defines ${name}`);
  return newest.replace(/^create (?=function|view)/, "create or replace ");
}

function pattern(name: string): RegExp {
  return new RegExp(
    `^create (?:or replace )?(?:function ${name}\\([\\s\\S]*?\\$\\$[\\s\\S]*?\\$\\$[^;]*;|view ${name} as[^;]*;)`,
    "gm",
  );
}
