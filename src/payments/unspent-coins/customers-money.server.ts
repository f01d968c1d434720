import { desc, sql } from "drizzle-orm";
import { dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { database, pool, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { customerMoneyDays } from "../tables.server.ts";
import { LATER_CENTS_SQL } from "./claim-codes.server.ts";

/** The ages by which the money of customers is added up, in days. Null: all older purchases. */
const AGES_DAYS = [7, 30, 365, 3 * 365, null];
const STATEMENT_TIMEOUT = "10min";

/** What was paid for unspent coins of purchases of an age. */
type MoneyOfAge = {
  /** The oldest of these purchases; null if there is no limit. */
  maxAgeDays: number | null;
  purchases: number;
  coins: number;
  amountCents: number;
};

export type CustomersMoney = { summedAt: Date; ages: MoneyOfAge[] };

/**
 * Adds up what customers paid for coins that they have not spent, by the age of the purchases, every night: the sums
 * read the wallet of every customer. Running it again on the same day replaces its sums.
 */
export const sumCustomersMoney: Job = {
  name: "sum-customers-money",
  schedule: "50 2 * * *",
  async run() {
    const at = now();
    const ages = sql.join(
      AGES_DAYS.map((days) => sql`(${days}::integer)`),
      sql`, `,
    );
    await transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = ${sql.raw(`'${STATEMENT_TIMEOUT}'`)}`);
      await tx.execute(sql`
        with ages (max_age_days) as (values ${ages}),
        unspent as (
          select u.*, (select min(a.max_age_days) from ages a
            where u.bought_at > ${at}::timestamptz - make_interval(days => a.max_age_days)) as max_age_days
          from wallets w cross join lateral list_unspent_coins(w.user_id, w.balance_coins) u
          where w.balance_coins > 0
        )
        insert into customer_money_days (day, max_age_days, purchases, coins, amount_cents, summed_at)
        select ${dateAt(at)}, a.max_age_days, count(u.purchase_id), coalesce(sum(u.coins), 0),
          coalesce(sum(u.amount_cents), 0), ${at}
        from ages a left join unspent u on u.max_age_days is not distinct from a.max_age_days
        group by a.max_age_days
        on conflict (day, max_age_days) do update set purchases = excluded.purchases, coins = excluded.coins,
          amount_cents = excluded.amount_cents, summed_at = excluded.summed_at`);
    });
  },
};

/** Returns the newest sums. Adds up first if that has never been done. */
export async function readCustomersMoney(): Promise<CustomersMoney> {
  const stored = await findCustomersMoney();
  if (stored) return stored;
  await sumCustomersMoney.run({}, { isLast: true });
  const summed = await findCustomersMoney();
  if (!summed) throw new Error("the money of customers was not added up");
  return summed;
}

/** Returns the newest sums, or null if there are none. */
export async function findCustomersMoney(): Promise<CustomersMoney | null> {
  const rows = await database()
    .select()
    .from(customerMoneyDays)
    .orderBy(desc(customerMoneyDays.day), sql`${customerMoneyDays.maxAgeDays} asc nulls last`)
    .limit(AGES_DAYS.length);
  const [first] = rows;
  return first ? { summedAt: first.summedAt, ages: rows } : null;
}

/** Money of closed accounts that a claim code still gives after a failed refund, or that is being refunded. */
export type ClosedAccountsMoney = Record<"failed" | "requested", { count: number; cents: number }>;

/** Returns what is due to the owners of closed accounts: by claim code, and by refunds on their way. */
export async function readClosedAccountsMoney(): Promise<ClosedAccountsMoney> {
  const { rows } = await database().execute<{ status: string; count: number; cents: number }>(sql`
    select status, count(*)::integer as count, sum(cents)::float8 as cents from (
      select r.status, r.amount_cents as cents from unspent_coin_refunds r where r.status = 'requested'
      union all
      select r.status, r.amount_cents - ${LATER_CENTS_SQL} from unspent_coin_refunds r
        join coin_purchases p on p.id = r.purchase_id join claim_codes c on c.user_id = r.user_id
      where r.status = 'failed' and c.expires_at > ${now()}
    ) due where cents > 0 group by status`);
  const find = (status: string) => rows.find((row) => row.status === status);
  const money = (status: string) => ({
    count: find(status)?.count ?? 0,
    cents: find(status)?.cents ?? 0,
  });
  return { failed: money("failed"), requested: money("requested") };
}

/** A purchase whose coins are not all spent, with what is due for them if Furlong closes. */
export type CustomerMoney = {
  userId: string;
  purchaseId: string;
  boughtAt: Date;
  coins: number;
  amountCents: number;
  isRefundable: boolean;
};

/** Returns the unspent coins of the next customers with coins, by user id. An empty page is the last one. */
export async function listCustomersMoney({
  afterUserId,
  limit,
}: {
  afterUserId: string | null;
  limit: number;
}): Promise<{ money: CustomerMoney[]; lastUserId: string | null }> {
  const { rows } = await pool().query<Nullable<CustomerMoney> & { userId: string }>(
    `select w.user_id as "userId", u.purchase_id as "purchaseId", u.bought_at as "boughtAt", u.coins,
       u.amount_cents as "amountCents", u.is_refundable as "isRefundable"
     from (
       select * from wallets where balance_coins > 0 and user_id > $1 order by user_id limit $2
     ) w left join lateral list_unspent_coins(w.user_id, w.balance_coins) u on true
     order by w.user_id, u.bought_at`,
    [afterUserId ?? NIL_ID, limit],
  );
  return {
    money: rows.filter((row): row is CustomerMoney => row.purchaseId !== null),
    lastUserId: rows.at(-1)?.userId ?? null,
  };
}

type Nullable<Row> = { [Key in keyof Row]: Row[Key] | null };

/** Returns the customers who owe the most coins after refunds and lost disputes. */
export async function listOwingCustomers(
  limit: number,
): Promise<{ userId: string; coins: number }[]> {
  const { rows } = await database().execute<{ userId: string; coins: number }>(sql`
    select w.user_id as "userId", w.owed_coins as coins from wallets w
    where w.owed_coins > 0 order by w.owed_coins desc, w.user_id limit ${limit}`);
  return rows;
}

const NIL_ID = "00000000-0000-0000-0000-000000000000";
