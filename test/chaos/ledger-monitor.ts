import { setTimeout as sleep } from "node:timers/promises";
import { runIntegrityChecks } from "#platform/integrity/run-integrity-checks.server.ts";
import { connectClient } from "./database-server.ts";
import type { Environment } from "./scenario.ts";

const READ_INTERVAL_MS = 100;

/** Ledger totals, read by one statement and therefore from one snapshot. */
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

/**
 * Reads the ledger totals ten times a second until `stop`, which returns the number of reads and
 * the problems.
 */
export class LedgerMonitor {
  #isStopping = false;
  #reading: Promise<{ reads: number; problems: string[] }>;

  constructor(environment: Environment) {
    this.#reading = this.#read(environment);
    this.#reading.catch(() => {}); // reported by stop()
  }

  async stop(): Promise<{ reads: number; problems: string[] }> {
    this.#isStopping = true;
    return await this.#reading;
  }

  async #read({ databaseServer, database }: Environment) {
    const client = await connectClient(databaseServer.getSuperuserUrl(database.name));
    const problems = new Set<string>();
    let reads = 0;
    while (!this.#isStopping) {
      const { rows } = await client.query<Record<string, string>>(TOTALS);
      reads += 1;
      for (const [name, value] of Object.entries(rows[0] ?? {}))
        if (Number(value) !== 0 && problems.size < 5)
          problems.add(`ledger totals: ${name} is ${value}`);
      await sleep(READ_INTERVAL_MS);
    }
    await client.end();
    return { reads, problems: [...problems] };
  }
}

/** Runs all integrity checks and describes the failed ones. */
export async function findIntegrityProblems(environment: Environment): Promise<string[]> {
  const client = await connectClient(
    environment.databaseServer.getSuperuserUrl(environment.database.name),
  );
  try {
    const { failures } = await runIntegrityChecks(client, { at: new Date() });
    return failures.map(
      ({ invariant, rows }) => `integrity check ${invariant}: ${JSON.stringify(rows[0])}`,
    );
  } finally {
    await client.end();
  }
}
