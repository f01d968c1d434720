import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { MIN_PAYOUT_CENTS, nextPayDay, PAYABLE_AFTER_DAYS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { prepared } from "#platform/database.server.ts";
import { readPosition } from "./earning-days.server.ts";
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
  /** A page of those with R100 or more, the largest first. */
  due: DuePayout[];
  /** Where the next page begins, or null. */
  next: string | null;
  /** What all of them come to. */
  dueCreators: number;
  dueCents: number;
  /** What stays below R100 and is carried forward. */
  carriedCreators: number;
  carriedCents: number;
};

type Row = {
  due_creators: number;
  due_cents: number;
  carried_creators: number;
  carried_cents: number;
  creator_id: string | null;
  due: number;
  account_ending: string | null;
  changed_at: Date | null;
  has_open: boolean;
};

/**
 * What the next run on the 15th comes to, to the cent: in all, and a page of the creators from the one
 * after the cursor on.
 */
export async function listDuePayouts({
  cursor = null,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<DuePayouts> {
  const payDay = nextPayDay(dateAt(now()));
  const after = placeOf(cursor);
  const rows = await prepared<Row>("due-payouts", DUE, [
    addDays(payDay, -PAYABLE_AFTER_DAYS),
    instantAt(payDay),
    await readPosition(),
    MIN_PAYOUT_CENTS,
    after?.cents ?? null,
    after?.creatorId ?? null,
    limit + 1,
  ]);
  const [sums] = rows;
  if (!sums) throw new Error("the sums of what is due are always one row");
  const due = rows.flatMap((row) =>
    row.creator_id === null
      ? []
      : {
          creatorId: row.creator_id,
          dueCents: row.due,
          accountEnding: row.account_ending,
          bankDetailsWaitUntil: row.changed_at ? waitsUntil(row.changed_at) : null,
          hasOpenPayout: row.has_open,
        },
  );
  const page = due.slice(0, limit);
  const last = page.at(-1);
  return {
    payDay,
    due: page,
    next: last && due.length > limit ? `${last.dueCents}.${last.creatorId}` : null,
    dueCreators: sums.due_creators,
    dueCents: sums.due_cents,
    carriedCreators: sums.carried_creators,
    carriedCents: sums.carried_cents,
  };
}

/** Where a page ended: an amount and whose it was, for amounts repeat. */
function placeOf(cursor: string | null): { cents: number; creatorId: string } | null {
  const [cents = "", creatorId = ""] = cursor?.split(".") ?? [];
  return /^\d{1,15}$/.test(cents) && isId(creatorId) ? { cents: Number(cents), creatorId } : null;
}

// As one creator's own summary sums it: the total from the roll-up and the newest sales themselves; less
// what is held, in a payout or paid, and what is sold too late for that pay day ($1 is the first such
// day, two weeks back at most, $2 the instant on which the pay day begins). $3 is what readPosition
// answers.
const DUE = `
  with parts as (
    select creator_id, earned_cents - reversed_cents as cents from earning_totals
    union all
    select creator_id, reversed_cents - earned_cents from earning_days where day >= $1::date
    union all
    select s.creator_id, e.amount_cents from sales s join earnings e on e.sale_id = s.id,
      earning_days_position p
    where s.created_xid >= $3::xid8 and s.created_xid >= p.before_xid
      and (s.created_at at time zone 'Africa/Johannesburg')::date < $1::date
    union all
    select s.creator_id, -e.amount_cents from earning_reversals r join sales s on s.id = r.sale_id
      join earnings e on e.sale_id = r.sale_id, earning_days_position p
    where r.created_xid >= $3::xid8 and r.created_xid >= p.before_xid
      and (s.created_at at time zone 'Africa/Johannesburg')::date < $1::date
    union all
    select e.creator_id, -e.amount_cents from earnings e
    where e.held_at is not null and e.payable_at < $2
      and not exists (select from earning_reversals r where r.sale_id = e.sale_id)
    union all
    select creator_id, -cents from payout_totals
  ), dues as (
    select creator_id, sum(cents)::bigint as due from parts group by creator_id
  ), sums as (
    select count(*) filter (where due >= $4)::integer as due_creators,
      coalesce(sum(due) filter (where due >= $4), 0)::bigint as due_cents,
      count(*) filter (where due < $4)::integer as carried_creators,
      coalesce(sum(due) filter (where due < $4), 0)::bigint as carried_cents
    from dues where due > 0
  ), page as (
    select * from dues
    where due >= $4 and ($5::bigint is null or (due, creator_id) < ($5::bigint, $6::uuid))
    order by due desc, creator_id desc limit $7
  )
  select sums.*, d.creator_id, d.due, b.account_ending, b.changed_at,
    exists (select from payouts o where o.creator_id = d.creator_id
      and o.status in ('requested', 'processing')) as has_open
  from sums left join page d on true left join bank_details b on b.creator_id = d.creator_id
  order by d.due desc, d.creator_id desc`;
