import { pool } from "#platform/database.server.ts";
import { queryParts } from "#platform/query-parts.server.ts";

/** Why a sale that somebody has to look at is held, as the unlock wrote it. */
const REVIEW_REASON = "guest-deal-repeat";

/** Held when its payout was withdrawn from a payment file after a dispute of its sale had been decided. */
export const LATE_HOLD_REASON = "late-hold";

/** The reasons that only the operator's review ends. */
export const REVIEW_REASONS: readonly string[] = [REVIEW_REASON, LATE_HOLD_REASON];

/** An earning that is kept from being paid out, with the sale it is of. */
export type HeldEarning = {
  saleId: number;
  buyerId: string;
  creatorId: string;
  raceCardId: string;
  amountCents: number;
  soldAt: Date;
  heldAt: Date;
  /** A dispute lets go of it by itself; a review waits for the operator. */
  heldFor: "review" | "dispute";
};

/** What is held, newest sale first, from the one before `beforeSaleId` on: all, or what waits for a review. */
export async function listHeldEarnings({
  heldFor,
  beforeSaleId,
  limit = 20,
}: {
  heldFor?: HeldEarning["heldFor"] | null;
  beforeSaleId?: number | null;
  limit?: number;
} = {}): Promise<{ earnings: HeldEarning[]; next: number | null }> {
  const { bind, addCondition, where, values } = queryParts();
  addCondition("e.held_at is not null");
  addCondition("not exists (select from earning_reversals r where r.sale_id = e.sale_id)");
  if (heldFor)
    addCondition(`(e.held_reason = any(${bind(REVIEW_REASONS)})) = ${bind(heldFor === "review")}`);
  if (beforeSaleId) addCondition(`e.sale_id < ${bind(beforeSaleId)}`);
  const { rows } = await pool().query<HeldEarning>(
    `select e.sale_id as "saleId", s.buyer_id as "buyerId", e.creator_id as "creatorId",
       s.race_card_id as "raceCardId", e.amount_cents as "amountCents", s.created_at as "soldAt",
       e.held_at as "heldAt",
       case when e.held_reason = any(${bind(REVIEW_REASONS)}) then 'review' else 'dispute' end
         as "heldFor"
     from earnings e join sales s on s.id = e.sale_id
     ${where()} order by e.sale_id desc limit ${bind(limit + 1)}`,
    values,
  );
  const earnings = rows.slice(0, limit);
  return { earnings, next: rows.length > limit ? (earnings.at(-1)?.saleId ?? null) : null };
}

/** How many sales wait for the operator's review. */
export async function countReviews(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `select count(*) from earnings e where e.held_at is not null and e.held_reason = any($1)
       and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`,
    [REVIEW_REASONS],
  );
  return rows[0]?.count ?? 0;
}
