import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import pg from "pg";

/** Sends one request. */
export type SendRequest = () => Promise<void>;

export type MeasuredAccount = "frequentBuyer" | "popularCreator" | "admin";

/**
 * The requests measured in addition to unlocking: those whose cost could grow with the number of sales.
 */
export const MEASURED_REQUESTS: Record<string, { path: string; as?: MeasuredAccount }> = {
  "home, a user": { path: "/", as: "frequentBuyer" },
  // The list of a venue, because the first page of all venues is cached.
  "race cards, JSON": { path: "/api/race-cards?venue=past-track-3" },
  "rankings, a user": { path: "/leaderboard", as: "frequentBuyer" },
  "top analysts, a user": { path: "/top-analysts", as: "frequentBuyer" },
  "racing tracks, a user": { path: "/racing-tracks", as: "frequentBuyer" },
  "a track, a user": { path: "/tracks/past-track-3", as: "frequentBuyer" },
  "popular tipster, a user": { path: "/tipsters/bench-popular", as: "frequentBuyer" },
  "results, a user": { path: "/results", as: "frequentBuyer" },
  search: { path: "/search?q=horse+17" },
  "my day": { path: "/my-day", as: "frequentBuyer" },
  "my record": { path: "/my-cards/record", as: "frequentBuyer" },
  "my cards": { path: "/my-cards", as: "frequentBuyer" },
  profile: { path: "/profile", as: "frequentBuyer" },
  "today, popular creator": { path: "/tipster-dashboard", as: "popularCreator" },
  "my tips, popular creator": { path: "/tipster-dashboard/tips", as: "popularCreator" },
  "earnings, popular creator": { path: "/tipster-dashboard/earnings", as: "popularCreator" },
  "admin: today": { path: "/admin", as: "admin" },
  "admin: tips": { path: "/admin/tips", as: "admin" },
  "admin: tips, searched": { path: "/admin/tips?search=horse+17", as: "admin" },
  "admin: venues": { path: "/admin/venues", as: "admin" },
  "admin: purchases": { path: "/admin/purchases", as: "admin" },
  "admin: purchases of a week": {
    path: "/admin/purchases?from=2026-01-05&to=2026-01-11",
    as: "admin",
  },
  "admin: coin packs": { path: "/admin/purchases/coin-packs", as: "admin" },
  "admin: tipsters": { path: "/admin/tipsters", as: "admin" },
  "admin: payouts": { path: "/admin/payouts", as: "admin" },
  "admin: payouts due": { path: "/admin/payouts/due", as: "admin" },
  "admin: payout history": { path: "/admin/payouts/history", as: "admin" },
  "admin: users": { path: "/admin/users", as: "admin" },
  "admin: users, searched": { path: "/admin/users?search=past77", as: "admin" },
  "admin: search for a name": { path: "/admin/search?search=past77", as: "admin" },
  "admin: search for a session": { path: "/admin/search?search=cs_past_0", as: "admin" },
  "admin: search for an id": {
    path: "/admin/search?search=00000000-0000-4000-8000-000000000077",
    as: "admin",
  },
  "admin: search for a day": { path: "/admin/search?search=2026-01-05", as: "admin" },
  "admin: search for a log entry": { path: "/admin/search?search=entry+7", as: "admin" },
  "admin: audit": { path: "/admin/audit", as: "admin" },
  "admin: audit of a week": { path: "/admin/audit?from=2026-01-05&to=2026-01-11", as: "admin" },
  "admin: audit, searched": { path: "/admin/audit?search=past77", as: "admin" },
};

/** A statement and its query plan. */
export type Plan = { text: string; plan: string };

/** Tables that may be scanned completely, with the reason why they do not grow with sales. */
export const SMALL_TABLES: Record<string, string> = {
  venues: "a few dozen rows",
  proof_logs: "one row for each log",
  earning_days_position: "one row",
  purchase_days_position: "one row",
  roll_up_positions: "one row for each sum that is recorded",
  purchase_days: "a few rows per day, one for each coin pack",
  late_holds: "earnings held after their payout was exported: rare, and none in the seeded history",
  creator_notices:
    "a few rows for each admin action, refund or dispute; none in the seeded history, so its plans are not meaningful",
  creators: "one row per creator, and each creator has hundreds of buyers",
  creator_records: "one row per creator",
  creator_figures: "one row per creator",
  creator_returns: "a few rows per creator and venue",
  stale_figures: "the changes of a few seconds",
  creator_tallies: "a few rows per creator and venue",
  earning_totals: "one row per creator",
  payout_totals: "one row per creator",
  prices: "one row per change of a price",
  user_roles: "one row per creator and admin",
  bank_details: "one row per creator",
  standings: "one row per creator and month",
  tipster_applications: "one row per application",
  alerts: "one row per problem",
};

/** Returns the growing tables that a plan scans completely. */
export function findFullTableScans({ plan }: Plan): string[] {
  return [...plan.matchAll(/Seq Scan on (?:public\.)?"?(\w+)/g)]
    .map((found) => found[1] ?? "")
    .filter((table) => !(table in SMALL_TABLES));
}

/**
 * Makes new connections log the plan of each statement, without sequential scans where an index can serve: the
 * planner avoids them in a large database too. A sequential scan that remains has no index.
 */
export async function logPlans(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const settings = {
    enable_seqscan: "off",
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_parameter_max_length": "0",
  };
  const database = pg.escapeIdentifier(new URL(superuserUrl).pathname.slice(1));
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter database ${database} set ${name} = '${value}'`);
  await client.end();
}

/** Returns the plans that the server logs during a request. */
export async function readLoggedPlans(
  serverLog: string,
  send: () => Promise<unknown>,
): Promise<Plan[]> {
  const before = statSync(serverLog).size;
  await send();
  const file = await open(serverLog);
  const { buffer, bytesRead } = await file.read({
    position: before,
    buffer: Buffer.alloc(statSync(serverLog).size - before),
  });
  await file.close();
  return parsePlans(buffer.toString("utf8", 0, bytesRead));
}

/** Parses plans from a part of the log, without costs. */
function parsePlans(log: string): Plan[] {
  const plans: Plan[] = [];
  let isInPlan = false;
  for (const line of log.split("\n")) {
    const plan = plans.at(-1);
    if (/duration: [\d.]+ ms\s+plan:$/.test(line)) {
      plans.push({ text: "", plan: "" });
      isInPlan = true;
    } else if (!line.startsWith("\t")) isInPlan = false;
    else if (plan && isInPlan) {
      const isPlan = plan.plan !== "" || /\(cost=.*\)$/.test(line);
      const content = line.slice(1).replace(/^Query Text: ?/, "");
      if (isPlan) plan.plan += `${content.replace(/\s+\(cost=.*\)$/, "").trimEnd()}\n`;
      else plan.text += `${content.trimEnd()}\n`;
    }
  }
  // Excludes statements of jobs and integrity checks (which start with a comment) that run
  // meanwhile.
  return plans
    .map(({ text, plan: steps }) => ({
      text: text.replace(/^\s*\n/gm, "").trimEnd(),
      plan: steps.replace(/^\s*\n/gm, "").trimEnd(),
    }))
    .filter(
      ({ text }) =>
        !/^--|\bjobs\.|roll_up_|_position" for update|integrity_checks|\bpg_/.test(text),
    );
}
