import { now } from "#platform/clock.server.ts";
import { prepared } from "#platform/database.server.ts";

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

type Row = Omit<Earning, "status"> & {
  isHeld: boolean;
  payoutStatus: "requested" | "processing" | "paid" | null;
};

/** A creator's earnings, newest first, from the sale before `beforeSaleId` on; `next` continues. */
export async function readEarnings(
  creatorId: string,
  { beforeSaleId, limit = 20 }: { beforeSaleId?: number | null; limit?: number } = {},
): Promise<{ earnings: Earning[]; next: number | null }> {
  const at = now();
  const rows = await prepared<Row>(
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

function statusOf(row: Row, at: Date): EarningStatus {
  if (row.reversedFor) return "reversed";
  if (row.payoutStatus) return row.payoutStatus;
  if (row.isHeld) return "held";
  return row.payableAt <= at ? "payable" : "pending";
}
