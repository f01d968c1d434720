import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { findNextPayDay, MIN_PAYOUT_CENTS, PAYABLE_AFTER_DAYS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { queryPrepared } from "#platform/database.server.ts";
import {
  formatCursor,
  parseCursor,
  parseIdPart,
  parseIntegerPart,
  toPage,
} from "#platform/keyset-paging.server.ts";
import { readRollUpCheckpoint } from "./earning-days.server.ts";
import { calculateBlockedUntil } from "./read-bank-details.server.ts";

/** The amount due to one creator on the next pay day as of now, and the obstacles to its payout. */
export type DuePayout = {
  creatorId: string;
  dueCents: number;
  accountLast4: string | null;
  /** When a change of the bank details stops blocking payouts; null if it does not block them. */
  bankDetailsBlockedUntil: Date | null;
  /** True if the creator has an open payout, which must be paid before the next one is created. */
  hasOpenPayout: boolean;
};

export type DuePayouts = {
  payDay: CalendarDate;
  /** One page of creators with R100 or more, or suspended with any amount, largest amount first. */
  due: DuePayout[];
  /** Cursor of the next page, or null. */
  next: string | null;
  /** Totals over all pages. */
  dueCreators: number;
  dueCents: number;
  /** Amounts below R100 of creators who are not suspended, which are carried forward. */
  carriedCreators: number;
  carriedCents: number;
};

type DuePayoutRow = {
  due_creators: number;
  due_cents: number;
  carried_creators: number;
  carried_cents: number;
  creator_id: string | null;
  due: number;
  account_last4: string | null;
  changed_at: Date | null;
  has_open: boolean;
};

/**
 * Returns the amounts that the next run on the 15th will pay, exact to the cent: the totals and a page of
 * creators, starting after the cursor.
 */
export async function listDuePayouts({
  cursor = null,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<DuePayouts> {
  const payDay = findNextPayDay(dateAt(now()));
  const [afterCents, afterCreatorId] = parseCursor(cursor, parseIntegerPart(15), parseIdPart) ?? [];
  const rows = await queryPrepared<DuePayoutRow>("due-payouts", DUE_SQL, [
    addDays(payDay, -PAYABLE_AFTER_DAYS),
    instantAt(addDays(payDay, -PAYABLE_AFTER_DAYS)),
    await readRollUpCheckpoint(),
    MIN_PAYOUT_CENTS,
    afterCents ?? null,
    afterCreatorId ?? null,
    limit + 1,
  ]);
  const [totals] = rows;
  if (!totals) throw new Error("the totals of due payouts are always one row");
  const duePayouts = rows.flatMap((row) =>
    row.creator_id === null
      ? []
      : {
          creatorId: row.creator_id,
          dueCents: row.due,
          accountLast4: row.account_last4,
          bankDetailsBlockedUntil: row.changed_at ? calculateBlockedUntil(row.changed_at) : null,
          hasOpenPayout: row.has_open,
        },
  );
  const { page, next } = toPage(duePayouts, limit, ({ dueCents, creatorId }) =>
    // Amounts are not unique, so the creator is part of the cursor.
    formatCursor(dueCents, creatorId),
  );
  return {
    payDay,
    due: page,
    next,
    dueCreators: totals.due_creators,
    dueCents: totals.due_cents,
    carriedCreators: totals.carried_creators,
    carriedCents: totals.carried_cents,
  };
}

// Uses the calculation of one creator's summary: the total from the roll-up and the newest sales, minus earnings
// that are held, in a payout or paid, minus sales too late for that pay day. $1 is the first day with such sales
// (at most two weeks ago), $2 its start, $3 the result of readRollUpCheckpoint.
const DUE_SQL = `
  with parts as (
    select creator_id, earned_cents - reversed_cents as cents from earning_totals
    union all
    select creator_id, reversed_cents - earned_cents from earning_days where day >= $1::date
    union all
    select s.creator_id, s.earning_cents from sales s, earning_days_position p
    where s.created_xid >= $3::xid8 and s.created_xid >= p.before_xid
      and (s.created_at at time zone 'Africa/Johannesburg')::date < $1::date
    union all
    select s.creator_id, -r.amount_cents from earning_reversals r join sales s on s.id = r.sale_id,
      earning_days_position p
    where r.created_xid >= $3::xid8 and r.created_xid >= p.before_xid
      and (s.created_at at time zone 'Africa/Johannesburg')::date < $1::date
    union all
    select s.creator_id, r.amount_cents from earning_restorations r join sales s on s.id = r.sale_id,
      earning_days_position p
    where r.created_xid >= $3::xid8 and r.created_xid >= p.before_xid and r.reversed_xid < p.before_xid
      and (s.created_at at time zone 'Africa/Johannesburg')::date < $1::date
    union all
    select s.creator_id, -r.reduced_cents from coin_returns r join sales s on s.id = r.sale_id,
      earning_days_position p
    where r.created_xid >= $3::xid8 and r.created_xid >= p.before_xid
      and (s.created_at at time zone 'Africa/Johannesburg')::date < $1::date
    union all
    select e.creator_id, -e.amount_cents from earnings e join sales s on s.id = e.sale_id
    where e.held_at is not null and s.created_at < $2
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    union all
    select creator_id, -cents from payout_totals
  ), dues as (
    select p.creator_id, sum(p.cents)::bigint as due,
      sum(p.cents) >= $4 or bool_or(k.suspended_at is not null) as is_due
    from parts p join creators k on k.user_id = p.creator_id group by p.creator_id
  ), totals as (
    select count(*) filter (where is_due)::integer as due_creators,
      coalesce(sum(due) filter (where is_due), 0)::bigint as due_cents,
      count(*) filter (where not is_due)::integer as carried_creators,
      coalesce(sum(due) filter (where not is_due), 0)::bigint as carried_cents
    from dues where due > 0
  ), page as (
    select * from dues
    where is_due and due > 0 and ($5::bigint is null or (due, creator_id) < ($5::bigint, $6::uuid))
    order by due desc, creator_id desc limit $7
  )
  select totals.*, d.creator_id, d.due, b.account_last4, b.changed_at,
    exists (select from payouts o where o.creator_id = d.creator_id
      and o.status in ('requested', 'processing')) as has_open
  from totals left join page d on true left join bank_details b on b.creator_id = d.creator_id
  order by d.due desc, d.creator_id desc`;
