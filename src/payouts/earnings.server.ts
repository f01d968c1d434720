import { findCreator } from "#creators/creators.server.ts";
import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import { MIN_PAYOUT_CENTS, nextPayDay, PAYABLE_AFTER_DAYS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { prepared } from "#platform/database.server.ts";
import { CREATOR_DAYS, CREATOR_TOTALS, readPosition } from "./earning-days.server.ts";

/**
 * What a creator's sales have come to. Each cent of the total is in exactly one of pending (not 14
 * days old), held, payable, in a payout that is under way, and paid; what was reversed is in none.
 */
export type EarningsSummary = {
  sales: number;
  totalCents: number;
  pendingCents: number;
  heldCents: number;
  payableCents: number;
  inPayoutCents: number;
  paidCents: number;
  reversedCents: number;
  /** The total over the tips published; null before the first. */
  averagePerTipCents: number | null;
  lastSaleAt: Date | null;
  nextPayDay: CalendarDate;
  /** What that day's payout would be as things stand: nothing below R100, which is carried forward. */
  dueCents: number;
};

type SummaryRow = {
  sales: number;
  earned: number;
  reversed: number;
  last_sale_at: Date | null;
  unripe_days: number;
  unripe_edge: number;
  after_pay_day: number;
  held: number;
  held_unripe: number;
  held_after_pay_day: number;
  in_payout: number;
  paid: number;
};

/**
 * Sums a creator's earnings to the cent: the total and the last days from the roll-up, the newest from
 * the sales themselves, so that it costs the same however much was sold before.
 */
export async function readEarningsSummary(creatorId: string): Promise<EarningsSummary> {
  const at = now();
  const payDay = nextPayDay(dateAt(at));
  // Sales of later days than this one are all younger than 14 days; on it, some are.
  const edgeDay = dateAt(new Date(at.getTime() - PAYABLE_AFTER_DAYS * 24 * 60 * 60 * 1000));
  const [[row], creator] = await Promise.all([
    prepared<SummaryRow>("earnings-summary", SUMMARY, [
      creatorId,
      await readPosition(),
      edgeDay,
      at,
      instantAt(addDays(edgeDay, 1 + PAYABLE_AFTER_DAYS)),
      addDays(payDay, -PAYABLE_AFTER_DAYS),
      instantAt(payDay),
    ]),
    findCreator(creatorId),
  ]);
  if (!row) throw new Error("a summary of earnings is always one row");
  const totalCents = row.earned - row.reversed;
  const pendingCents = row.unripe_days + row.unripe_edge - row.held_unripe;
  const settled = row.held + row.in_payout + row.paid;
  const due = totalCents - settled - (row.after_pay_day - row.held_after_pay_day);
  const tips = creator?.record.tips ?? 0;
  return {
    sales: row.sales,
    totalCents,
    pendingCents,
    heldCents: row.held,
    payableCents: totalCents - settled - pendingCents,
    inPayoutCents: row.in_payout,
    paidCents: row.paid,
    reversedCents: row.reversed,
    averagePerTipCents: tips > 0 ? Math.round(totalCents / tips) : null,
    lastSaleAt: row.last_sale_at,
    nextPayDay: payDay,
    dueCents: due >= MIN_PAYOUT_CENTS ? due : 0,
  };
}

const NOT_REVERSED = "not exists (select from earning_reversals r where r.sale_id = e.sale_id)";

const SUMMARY = `
  with totals as (
    select coalesce(sum(sales - reversed_sales), 0)::bigint as sales,
      coalesce(sum(earned_cents), 0)::bigint as earned,
      coalesce(sum(reversed_cents), 0)::bigint as reversed
    from (${CREATOR_TOTALS}) kept
  ), young as (
    select coalesce(sum(earned_cents - reversed_cents) filter (where day > $3::date), 0)::bigint
        as unripe_days,
      coalesce(sum(earned_cents - reversed_cents) filter (where day >= $6::date), 0)::bigint
        as after_pay_day
    from (${CREATOR_DAYS}) days
  ), edge as (
    select coalesce(sum(e.amount_cents), 0)::bigint as unripe_edge from earnings e
    where e.creator_id = $1 and e.payout_id is null and e.payable_at > $4 and e.payable_at < $5
      and ${NOT_REVERSED}
  ), held as (
    select coalesce(sum(e.amount_cents), 0)::bigint as held,
      coalesce(sum(e.amount_cents) filter (where e.payable_at > $4), 0)::bigint as held_unripe,
      coalesce(sum(e.amount_cents) filter (where e.payable_at >= $7), 0)::bigint
        as held_after_pay_day
    from earnings e where e.creator_id = $1 and e.held_at is not null and ${NOT_REVERSED}
  ), outgoing as (
    select coalesce(sum(amount_cents) filter (where status in ('requested', 'processing')), 0)::bigint as in_payout,
      coalesce(sum(amount_cents) filter (where status = 'paid'), 0)::bigint as paid
    from payouts where creator_id = $1
  )
  select totals.*, young.*, edge.*, held.*, outgoing.*,
    (select s.created_at from sales s where s.creator_id = $1 order by s.id desc limit 1)
      as last_sale_at
  from totals, young, edge, held, outgoing`;

/**
 * Where an earning stands. 'pending' until it is 14 days old, 'held' while someone has to look at its
 * sale, 'requested' and 'processing' as part of a payout that is under way.
 */
export type EarningStatus =
  | "pending"
  | "held"
  | "payable"
  | "requested"
  | "processing"
  | "paid"
  | "reversed";

/** One sale of a creator's race card, without a word of who bought it. */
export type Earning = {
  saleId: number;
  raceCardId: string;
  soldAt: Date;
  /** How many races the card had when it was sold. */
  raceCount: number;
  coins: number;
  amountCents: number;
  payableAt: Date;
  status: EarningStatus;
  /** Why it was taken back: a refund, a dispute, that every race of the card was void, or our review. */
  reversedFor: "refund" | "dispute" | "void" | "review" | null;
  paidAt: Date | null;
};

type EarningRow = Omit<Earning, "status"> & {
  isHeld: boolean;
  payoutStatus: "requested" | "processing" | "paid" | null;
};

/** A creator's earnings, newest first, from the sale before `beforeSaleId` on; `next` continues. */
export async function readEarnings(
  creatorId: string,
  { beforeSaleId, limit = 20 }: { beforeSaleId?: number | null; limit?: number } = {},
): Promise<{ earnings: Earning[]; next: number | null }> {
  const at = now();
  const rows = await prepared<EarningRow>(
    // The number of lines stands in the text: a plan that does not know it fears for thousands.
    `earnings-${Number(limit)}`,
    `select e.sale_id as "saleId", s.race_card_id as "raceCardId", s.created_at as "soldAt",
       cardinality(s.tip_ids) as "raceCount", s.price_coins as coins,
       e.amount_cents as "amountCents", e.payable_at as "payableAt",
       e.held_at is not null as "isHeld", r.reason as "reversedFor",
       p.status as "payoutStatus", p.paid_at as "paidAt"
     from earnings e join sales s on s.id = e.sale_id
     left join earning_reversals r on r.sale_id = e.sale_id
     left join payouts p on p.id = e.payout_id
     where e.creator_id = $1 and e.sale_id < $2
     order by e.sale_id desc limit ${Number(limit) + 1}`,
    [creatorId, beforeSaleId ?? Number.MAX_SAFE_INTEGER],
  );
  const earnings = rows.slice(0, limit).map(({ isHeld, payoutStatus, ...row }) => ({
    ...row,
    status: statusOf({ ...row, isHeld, payoutStatus }, at),
  }));
  return { earnings, next: rows.length > limit ? (earnings.at(-1)?.saleId ?? null) : null };
}

function statusOf(row: EarningRow, at: Date): EarningStatus {
  if (row.reversedFor) return "reversed";
  if (row.payoutStatus) return row.payoutStatus;
  if (row.isHeld) return "held";
  return row.payableAt <= at ? "payable" : "pending";
}

/** What a creator's sales of one day have come to, reversals taken off. */
export type EarningsOfDay = { day: CalendarDate; sales: number; earnedCents: number };

/** The last days up to today, oldest first, each of them there, for a chart. */
export async function readEarningsByDay(
  creatorId: string,
  { days = 30 }: { days?: number } = {},
): Promise<EarningsOfDay[]> {
  const today = dateAt(now());
  const first = addDays(today, 1 - days);
  const rows = await prepared<{ day: CalendarDate; sales: number; earned: number }>(
    "earnings-by-day",
    `select day, sum(sales - reversed_sales)::integer as sales,
       sum(earned_cents - reversed_cents)::bigint as earned
     from (${CREATOR_DAYS}) days group by day`,
    [creatorId, await readPosition(), first],
  );
  const known = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(first, index);
    const { sales = 0, earned = 0 } = known.get(day) ?? {};
    return { day, sales, earnedCents: earned };
  });
}
