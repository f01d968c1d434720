import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { MIN_PAYOUT_CENTS, nextPayDay, PAYABLE_AFTER_DAYS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { waitsUntil } from "./read-bank-details.server.ts";

/** What one creator is due on the next pay day, as things stand, and what stands against it. */
export type DuePayout = {
  creatorId: string;
  dueCents: number;
  accountEnding: string | null;
  /** Until then nothing is paid out, because the bank details have changed. */
  bankDetailsWaitUntil: Date | null;
  /** A payout that is under way has to be paid before the next one is made. */
  hasOpenPayout: boolean;
};

export type DuePayouts = {
  payDay: CalendarDate;
  /** R100 or more, the largest first. */
  due: DuePayout[];
  dueCents: number;
  /** What stays below R100 and is carried forward. */
  carriedCreators: number;
  carriedCents: number;
};

type Row = {
  creator_id: string;
  due: number;
  account_ending: string | null;
  changed_at: Date | null;
  has_open: boolean;
};

/** What the next run on the 15th comes to, creator by creator, to the cent. */
export async function listDuePayouts(): Promise<DuePayouts> {
  const payDay = nextPayDay(dateAt(now()));
  const { rows } = await pool().query<Row>(DUE, [
    addDays(payDay, -PAYABLE_AFTER_DAYS),
    instantAt(payDay),
  ]);
  const enough = rows.filter((row) => row.due >= MIN_PAYOUT_CENTS);
  const carried = rows.filter((row) => row.due < MIN_PAYOUT_CENTS);
  return {
    payDay,
    due: enough.map((row) => ({
      creatorId: row.creator_id,
      dueCents: row.due,
      accountEnding: row.account_ending,
      bankDetailsWaitUntil: row.changed_at ? waitsUntil(row.changed_at) : null,
      hasOpenPayout: row.has_open,
    })),
    dueCents: enough.reduce((sum, row) => sum + row.due, 0),
    carriedCreators: carried.length,
    carriedCents: carried.reduce((sum, row) => sum + row.due, 0),
  };
}

// As one creator's own summary sums it: whole days from the roll-up, the newest sales themselves; less
// what is held, in a payout or paid, and what is sold too late for that pay day ($1 is the first such
// day, $2 the instant on which the pay day begins).
const DUE = `
  with days as (
    select d.creator_id, d.day, d.earned_cents - d.reversed_cents as cents from earning_days d
    union all
    select s.creator_id, (s.created_at at time zone 'Africa/Johannesburg')::date, e.amount_cents
    from sales s join earnings e on e.sale_id = s.id, earning_days_position p
    where s.created_xid >= p.before_xid
    union all
    select s.creator_id, (s.created_at at time zone 'Africa/Johannesburg')::date, -e.amount_cents
    from earning_reversals r join sales s on s.id = r.sale_id
      join earnings e on e.sale_id = r.sale_id, earning_days_position p
    where r.created_xid >= p.before_xid
  ), parts as (
    select creator_id, cents from days where day < $1::date
    union all
    select e.creator_id, -e.amount_cents from earnings e
    where e.held_at is not null and e.payable_at < $2
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    union all
    select o.creator_id, -o.amount_cents from payouts o
  ), dues as (
    select creator_id, sum(cents)::bigint as due from parts group by creator_id
  )
  select d.creator_id, d.due, b.account_ending, b.changed_at,
    exists (select from payouts o where o.creator_id = d.creator_id and o.status <> 'paid') as has_open
  from dues d left join bank_details b on b.creator_id = d.creator_id
  where d.due > 0 order by d.due desc, d.creator_id`;
