import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Ask } from "./growth.ts";

const FOLDER = "db/plans";
/** What grows with every sale, buyer or tip: no page may read one of them from end to end. */
const GROWING =
  /Seq Scan on (?:\w+\.)?(sales|earnings|ledger_transactions|ledger_postings|tips|race_cards|users|wallets|orders|coin_purchases|earning_days|sessions|audit_entries)\b/;

/** Has every connection from now on write the plan of each statement to the server's log. */
export async function logPlans(adminUrl: string, on = true): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_parameter_max_length": "0",
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter role furlong ${on ? `set ${name} = '${value}'` : `reset ${name}`}`);
  await client.end();
}

/**
 * Asks for each once, keeps the plans of what the database did for it in `db/plans`, and answers where
 * one of them reads the whole of a table that grows.
 */
export async function keepPlans(
  serverLog: string,
  asks: Record<string, Ask>,
): Promise<{ work: string; table: string }[]> {
  if (existsSync(FOLDER)) rmSync(FOLDER, { recursive: true });
  mkdirSync(FOLDER, { recursive: true });
  const grown: { work: string; table: string }[] = [];
  for (const [work, ask] of Object.entries(asks)) {
    const before = readFileSync(serverLog, "utf8").length;
    await ask();
    const plans = plansIn(readFileSync(serverLog, "utf8").slice(before));
    for (const plan of plans) {
      const table = GROWING.exec(plan)?.[1];
      if (table) grown.push({ work, table });
    }
    const name = work.replace(/\W+/g, "-").toLowerCase();
    writeFileSync(join(FOLDER, `${name}.txt`), `${[...new Set(plans)].sort().join("\n\n")}\n`);
  }
  return grown;
}

/** The plans in a piece of the log, without what differs from run to run. */
function plansIn(log: string): string[] {
  const plans: string[] = [];
  for (const line of log.split("\n")) {
    if (/duration: [\d.]+ ms\s+plan:$/.test(line)) plans.push("");
    else if (plans.length > 0 && line.startsWith("\t"))
      plans[plans.length - 1] += `${line
        .slice(1)
        .replace(/\s+\(cost=.*\)$/, "")
        .trimEnd()}\n`;
  }
  // Jobs work on while pages are asked for.
  return plans
    .map((plan) => plan.replace(/^\s*\n/gm, "").trim())
    .filter((plan) => !/\b(jobs\.|roll_up_|_position\b|books_checks|pg_)/.test(plan));
}
