import { setTimeout as sleep } from "node:timers/promises";
import { runIntegrityChecks } from "#integrity/run-integrity-checks.server.ts";
import { connect } from "./database-server.ts";
import type { Arena } from "./scenario.ts";

const BETWEEN_READS_MS = 100;

/** The totals of the books as one statement, hence one snapshot, sees them. */
const TOTALS = `
  select
    (select count(*) from (select unit from ledger_postings group by unit having sum(amount) <> 0) u)
      as unbalanced,
    (select count(*) from wallets where balance_coins < 0 or owed_coins < 0) as negative,
    (select count(*) from ledger_postings where balance_after < 0) as "everNegative",
    (select coalesce(sum(balance_coins), 0) from wallets)
      - (select coalesce(sum(amount), 0) from ledger_postings where account = 'wallet') as drift,
    4 * (select count(*) from sales)
      - (select coalesce(sum(p.amount), 0) from ledger_postings p
          join ledger_transactions t on t.id = p.transaction_id
          where t.kind = 'unlock' and p.account = 'redeemed') as unpaid,
    (select count(*) from sales) - (select count(*) from earnings) as unearned`;

/** Reads the totals every tenth of a second until told to stop; then says how often and what was wrong. */
export class BooksWatch {
  #stopping = false;
  #reading: Promise<{ reads: number; problems: string[] }>;

  constructor(arena: Arena) {
    this.#reading = this.#read(arena);
    this.#reading.catch(() => {}); // told by stop()
  }

  async stop(): Promise<{ reads: number; problems: string[] }> {
    this.#stopping = true;
    return await this.#reading;
  }

  async #read({ records, database }: Arena) {
    const client = await connect(records.adminUrlOf(database.name));
    const problems = new Set<string>();
    let reads = 0;
    while (!this.#stopping) {
      const { rows } = await client.query<Record<string, string>>(TOTALS);
      reads += 1;
      for (const [name, value] of Object.entries(rows[0] ?? {}))
        if (Number(value) !== 0 && problems.size < 5)
          problems.add(`the totals: ${name} is ${value}`);
      await sleep(BETWEEN_READS_MS);
    }
    await client.end();
    return { reads, problems: [...problems] };
  }
}

/** Every sentence of the books that does not hold, in words. */
export async function integrityProblems(arena: Arena): Promise<string[]> {
  const client = await connect(arena.records.adminUrlOf(arena.database.name));
  try {
    const { failures } = await runIntegrityChecks(client, { at: new Date() });
    return failures.map(
      ({ invariant, rows }) => `the books, ${invariant}: ${JSON.stringify(rows[0])}`,
    );
  } finally {
    await client.end();
  }
}
