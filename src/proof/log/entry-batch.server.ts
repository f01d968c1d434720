import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { hashLeaf } from "#domain/proof/merkle-tree.ts";
import type { Tx } from "#platform/database.server.ts";
import { type Json, toCanonicalJson } from "./canonical-json.ts";
import type { Log } from "./read-log.server.ts";

type Fields = { [key: string]: Json };
type Row = Record<string, string | number | Buffer>;

/** Keeps a statement below the 65,535 parameters that PostgreSQL accepts. */
const MAX_ROWS = 5_000;

export type AddedEntry = { index: number; storedIndex: number; hash: Buffer };

/** The entries that one run of the job appends, with the rows that refer to them. */
export class EntryBatch {
  readonly tx: Tx;
  readonly log: Log;
  readonly at: Date;
  readonly bodies: Buffer[] = [];
  readonly #rows = new Map<string, Row[]>();

  constructor(tx: Tx, log: Log, at: Date) {
    this.tx = tx;
    this.log = log;
    this.at = at;
  }

  get nextIndex(): number {
    return this.log.size + this.bodies.length;
  }

  /** Adds an entry. Returns its index in the log, what the tables store as its index, and its leaf hash. */
  add(kind: string, fields: Fields): AddedEntry {
    const index = this.nextIndex;
    const text = toCanonicalJson({ ...fields, kind, at: this.at.toISOString(), v: 1 });
    const body = Buffer.from(text, "utf8");
    this.bodies.push(body);
    return { index, storedIndex: this.log.firstIndex + index, hash: hashLeaf(body) };
  }

  /** Adds a row that refers to an entry, to be written once the entries are. All rows of a table have the same columns. */
  addRow(table: string, row: Row): void {
    const rows = this.#rows.get(table);
    if (rows) rows.push(row);
    else this.#rows.set(table, [row]);
  }

  /** Returns the rows that were added to a table. */
  rowsOf(table: string): readonly Row[] {
    return this.#rows.get(table) ?? [];
  }

  /** Writes the rows, in the order in which their tables were first named. */
  async writeRows(): Promise<void> {
    for (const [table, all] of this.#rows)
      for (let first = 0; first < all.length; first += MAX_ROWS)
        await this.#insert(table, all.slice(first, first + MAX_ROWS));
  }

  async #insert(table: string, rows: readonly Row[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {});
    const names = sql.join(
      columns.map((column) => sql.identifier(column)),
      sql`, `,
    );
    const values = rows.map(
      (row) =>
        sql`(${sql.join(
          columns.map((column) => sql`${row[column]}`),
          sql`, `,
        )})`,
    );
    await this.tx.execute(
      sql`insert into ${sql.identifier(table)} (${names}) values ${sql.join(values, sql`, `)}`,
    );
  }
}

/** What an entry can commit to. */
export type CommitmentKind = "selection" | "reasons" | "name";

/** Returns the commitment to a text, in base64. Nobody can guess the text without the 32 random bytes of the salt. */
export function computeCommitment(kind: CommitmentKind, salt: Buffer, text: string): string {
  return createHash("sha256")
    .update(`furlong.proof/v1 ${kind}\n`)
    .update(salt)
    .update(text, "utf8")
    .digest("base64");
}
