import { findCreator } from "#creators/creators.server.ts";
import { addDays, type CalendarDate, dateAt, instantAt } from "#domain/calendar.ts";
import type { ReversalReason } from "#domain/coin-return.ts";
import { findMinPayoutCents, findNextPayDay, PAYABLE_AFTER_DAYS } from "#domain/pay-day.ts";
import { now } from "#platform/clock.server.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import {
  CREATOR_DAYS_SQL,
  CREATOR_TOTALS_SQL,
  readRollUpCheckpoint,
} from "./earning-days.server.ts";

/**
 * Totals of a creator's earnings. Each cent of the total is in exactly one of these amounts: pending (not payable
 * yet), held, payable, in an open payout, or paid. Reversed earnings are in none of them.
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
  /** The total divided by the number of published tips; null before the first. */
  averagePerTipCents: number | null;
  lastSaleAt: Date | null;
  nextPayDay: CalendarDate;
  /** The payout on that day as of now; 0 below the minimum, which is carried forward. */
  dueCents: number;
};

type SummaryRow = {
  sales: number;
  earned: number;
  reversed: number;
  last_sale_at: Date | null;
  pending_full_days: number;
  pending_cutoff_day: number;
  after_pay_day: number;
  held: number;
  held_pending: number;
  held_after_pay_day: number;
  in_payout: number;
  paid: number;
};

/**
 * Returns a creator's earnings, exact to the cent. Reads older sales from the roll-up and only the newest sales
 * one by one, so that the cost does not grow with the number of sales.
 */
export async function readEarningsSummary(creatorId: string): Promise<EarningsSummary> {
  const at = now();
  const payDay = findNextPayDay(dateAt(at));
  // All sales after this day are less than 14 days old; on this day, some are, and some are of a race card that is run
  // today: a race card is sold at most 14 days before its race date.
  const cutoffDay = dateAt(new Date(at.getTime() - PAYABLE_AFTER_DAYS * 24 * 60 * 60 * 1000));
  const [[row], creator] = await Promise.all([
    queryPrepared<SummaryRow>("earnings-summary", SUMMARY_SQL, [
      creatorId,
      await readRollUpCheckpoint(),
      cutoffDay,
      at,
      instantAt(addDays(cutoffDay, 1)),
      addDays(payDay, -PAYABLE_AFTER_DAYS),
      instantAt(addDays(payDay, -PAYABLE_AFTER_DAYS)),
    ]),
    findCreator(creatorId),
  ]);
  if (!row) throw new Error("the earnings summary is always one row");
  const totalCents = row.earned - row.reversed;
  const pendingCents = row.pending_full_days + row.pending_cutoff_day - row.held_pending;
  const unavailableCents = row.held + row.in_payout + row.paid;
  const dueCents = totalCents - unavailableCents - (row.after_pay_day - row.held_after_pay_day);
  const tips = creator?.record.tips ?? 0;
  const isFinal = creator !== null && creator.suspendedAt !== null;
  return {
    sales: row.sales,
    totalCents,
    pendingCents,
    heldCents: row.held,
    payableCents: totalCents - unavailableCents - pendingCents,
    inPayoutCents: row.in_payout,
    paidCents: row.paid,
    reversedCents: row.reversed,
    averagePerTipCents: tips > 0 ? Math.round(totalCents / tips) : null,
    lastSaleAt: row.last_sale_at,
    nextPayDay: payDay,
    dueCents: dueCents >= findMinPayoutCents(isFinal) ? dueCents : 0,
  };
}

const NOT_REVERSED_SQL = "not exists (select from earning_reversals r where r.sale_id = e.sale_id)";

const SUMMARY_SQL = `
  with totals as (
    select coalesce(sum(sales - reversed_sales), 0)::bigint as sales,
      coalesce(sum(earned_cents), 0)::bigint as earned,
      coalesce(sum(reversed_cents), 0)::bigint as reversed
    from (${CREATOR_TOTALS_SQL}) creator_totals
  ), recent_days as (
    select coalesce(sum(earned_cents - reversed_cents) filter (where day > $3::date), 0)::bigint
        as pending_full_days,
      coalesce(sum(earned_cents - reversed_cents) filter (where day >= $6::date), 0)::bigint
        as after_pay_day
    from (${CREATOR_DAYS_SQL}) days
  ), cutoff as (
    select coalesce(sum(e.amount_cents), 0)::bigint as pending_cutoff_day
    from earnings e join sales s on s.id = e.sale_id
    where e.creator_id = $1 and e.payout_id is null and s.created_at < $5
      and e.payable_at > $4 and e.payable_at <= $5::timestamptz + interval '${PAYABLE_AFTER_DAYS} days'
      and ${NOT_REVERSED_SQL}
  ), held as (
    select coalesce(sum(e.amount_cents), 0)::bigint as held,
      coalesce(sum(e.amount_cents) filter (where e.payable_at > $4), 0)::bigint as held_pending,
      coalesce(sum(e.amount_cents) filter (where s.created_at >= $7), 0)::bigint
        as held_after_pay_day
    from earnings e join sales s on s.id = e.sale_id
    where e.creator_id = $1 and e.held_at is not null and ${NOT_REVERSED_SQL}
  ), payout_totals as (
    select coalesce(sum(amount_cents) filter (where status in ('requested', 'processing')), 0)::bigint as in_payout,
      coalesce(sum(amount_cents) filter (where status = 'paid'), 0)::bigint as paid
    from payouts where creator_id = $1
  )
  select totals.*, recent_days.*, cutoff.*, held.*, payout_totals.*,
    (select s.created_at from sales s where s.creator_id = $1 order by s.id desc limit 1)
      as last_sale_at
  from totals, recent_days, cutoff, held, payout_totals`;

/**
 * 'pending' until it is payable, 'held' during a dispute or review of its sale, 'requested' and
 * 'processing' as part of an open payout.
 */
export type EarningStatus =
  | "pending"
  | "held"
  | "payable"
  | "requested"
  | "processing"
  | "paid"
  | "reversed";

/** One sale of a creator's race card, without the buyer. */
export type Earning = {
  saleId: number;
  raceCardId: string;
  soldAt: Date;
  /** Number of races on the race card when it was sold. */
  raceCount: number;
  coins: number;
  /** The amount earned when the race card was sold. */
  fullEarningCents: number;
  /** The amount earned, after reductions for void races and lost payments. */
  amountCents: number;
  /** What reduced it; null when nothing did. */
  reducedFor: "void" | "lost" | null;
  payableAt: Date;
  status: EarningStatus;
  /** Why it is held; null when it is not. */
  heldReason: string | null;
  /** Why it was reversed: a lost payment, a race card with only void races, or our review. */
  reversalReason: ReversalReason | null;
  paidAt: Date | null;
};

/** The status of an earning (e) with its reversal (r) and payout (p) at an instant, a parameter of the statement. */
const statusSql = (at: string) => `case when r.sale_id is not null then 'reversed'
  when p.status is not null then p.status
  when e.held_at is not null then 'held'
  when e.payable_at <= ${at} then 'payable' else 'pending' end`;

/** What reduced an earning (e) of a sale (s); null when nothing did. */
const REDUCED_FOR_SQL = `case when e.amount_cents = s.earning_cents then null
  when e.lacking_coins > 0 then 'lost' else 'void' end`;

const IS_SOLD_AFTER_RACES_SQL = `coalesce((select c.is_sold_after_races from coin_returns c
  where c.sale_id = e.sale_id order by c.step desc limit 1), false)`;

/**
 * Returns a page of a creator's earnings, newest first, before `beforeSaleId`; `next` is the next cursor. Optionally
 * only the sales of these race cards.
 */
export async function readEarnings(
  creatorId: string,
  {
    raceCardIds = null,
    beforeSaleId,
    limit = 20,
  }: {
    raceCardIds?: readonly string[] | null;
    beforeSaleId?: number | null;
    limit?: number;
  } = {},
): Promise<{ earnings: Earning[]; next: number | null }> {
  const rows = await queryPrepared<Earning>(
    // The limit is part of the query text, because a generic plan would assume thousands of rows. Both tables
    // start at the cursor, because the planner may merge them, which would start at the newest sale.
    `earnings-${Number(limit)}${raceCardIds ? "-of-cards" : ""}`,
    `select e.sale_id as "saleId", s.race_card_id as "raceCardId", s.created_at as "soldAt",
       cardinality(s.tip_ids) as "raceCount", s.price_coins as coins,
       s.earning_cents as "fullEarningCents", e.amount_cents as "amountCents",
       e.payable_at as "payableAt", ${statusSql("$3")} as status, e.held_reason as "heldReason",
       r.reason as "reversalReason", p.paid_at as "paidAt", ${REDUCED_FOR_SQL} as "reducedFor"
     from earnings e join sales s on s.id = e.sale_id
     left join earning_reversals r on r.sale_id = e.sale_id
     left join payouts p on p.id = e.payout_id
     where e.creator_id = $1 and e.sale_id < $2 and s.id < $2
       ${raceCardIds ? "and s.race_card_id = any($4::uuid[])" : ""}
     order by e.sale_id desc limit ${Number(limit) + 1}`,
    [
      creatorId,
      beforeSaleId ?? Number.MAX_SAFE_INTEGER,
      now(),
      ...(raceCardIds ? [raceCardIds] : []),
    ],
  );
  const { page, next } = toPage(rows, limit, ({ saleId }) => saleId);
  return { earnings: page, next };
}

/** The sales of one race card that are in the same state for the same reason. */
export type EarningsOfCard = {
  raceCardId: string;
  status: EarningStatus;
  sales: number;
  /** What the buyers paid in coins, in rand. */
  priceCents: number;
  /** The amount earned, after reductions for void races and lost payments. */
  amountCents: number;
  /** The sum of these reductions. */
  reducedCents: number;
  /** What reduced each of these earnings; null when nothing did. */
  reducedFor: "void" | "lost" | null;
  /** The day from which a pending earning is payable; null otherwise. */
  payableOn: CalendarDate | null;
  paidOn: CalendarDate | null;
  /** Why it is held; null when it is not. */
  heldReason: string | null;
  reversalReason: ReversalReason | null;
  /** Reversed because the sale was made after the last race, whose off was not known then. */
  isSoldAfterRaces: boolean;
};

/** Returns the sales of these race cards of a creator, each in exactly one group of its race card. */
export async function readEarningsOfCards(
  creatorId: string,
  raceCardIds: readonly string[],
): Promise<EarningsOfCard[]> {
  if (raceCardIds.length === 0) return [];
  return await queryPrepared<EarningsOfCard>(
    "earnings-of-cards",
    `select "raceCardId", status, count(*)::integer as sales,
       sum("priceCents")::bigint as "priceCents", sum("amountCents")::bigint as "amountCents",
       sum("reducedCents")::bigint as "reducedCents",
       "reducedFor", "payableOn", "paidOn", "heldReason", "reversalReason", "isSoldAfterRaces"
     from (
       select s.race_card_id as "raceCardId", ${statusSql("$3")} as status,
         s.price_cents as "priceCents", e.amount_cents as "amountCents",
         s.earning_cents - e.amount_cents as "reducedCents",
         ${REDUCED_FOR_SQL} as "reducedFor",
         case when e.payable_at > $3 and r.sale_id is null and e.held_at is null and p.id is null
           then (e.payable_at at time zone 'Africa/Johannesburg')::date end as "payableOn",
         (p.paid_at at time zone 'Africa/Johannesburg')::date as "paidOn",
         e.held_reason as "heldReason", r.reason as "reversalReason",
         r.reason = 'void' and ${IS_SOLD_AFTER_RACES_SQL} as "isSoldAfterRaces"
       from sales s join earnings e on e.sale_id = s.id
       left join earning_reversals r on r.sale_id = e.sale_id
       left join payouts p on p.id = e.payout_id
       where s.race_card_id = any($2::uuid[]) and e.creator_id = $1
     ) sold
     group by "raceCardId", status, "reducedFor", "payableOn", "paidOn", "heldReason",
       "reversalReason", "isSoldAfterRaces"
     order by array_position(array['payable', 'pending', 'requested', 'processing', 'paid',
       'held', 'reversed'], status), "payableOn", "paidOn"`,
    [creatorId, raceCardIds, now()],
  );
}

/** A creator's sales and earnings of one day, net of reversals. */
export type EarningsOfDay = { day: CalendarDate; sales: number; earnedCents: number };

/** Returns the last days up to today for a chart, oldest first, including days without sales. */
export async function readEarningsByDay(
  creatorId: string,
  { days = 30 }: { days?: number } = {},
): Promise<EarningsOfDay[]> {
  const today = dateAt(now());
  const firstDay = addDays(today, 1 - days);
  const rows = await queryPrepared<{ day: CalendarDate; sales: number; earned: number }>(
    "earnings-by-day",
    `select day, sum(sales - reversed_sales)::integer as sales,
       sum(earned_cents - reversed_cents)::bigint as earned
     from (${CREATOR_DAYS_SQL}) days group by day`,
    [creatorId, await readRollUpCheckpoint(), firstDay],
  );
  const rowsByDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(firstDay, index);
    const { sales = 0, earned = 0 } = rowsByDay.get(day) ?? {};
    return { day, sales, earnedCents: earned };
  });
}
