import { pool } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";
import { createQueryParts } from "#platform/query-parts.server.ts";

/** The reason for earnings held because their export was withdrawn after the dispute had been decided. */
export const LATE_HOLD_REASON = "late-hold";

/** The reason for the guest-deal sales of a creator whose sales are mostly guest deals. */
export const GUEST_DEAL_SHARE_REASON = "guest-deal-share";

/** Reasons that only a review by an admin ends. The unlock stores "guest-deal-repeat". */
export const REVIEW_REASONS: readonly string[] = [
  "guest-deal-repeat",
  GUEST_DEAL_SHARE_REASON,
  LATE_HOLD_REASON,
];

/** An earning excluded from payouts, with its sale. */
export type HeldEarning = {
  saleId: number;
  buyerId: string;
  creatorId: string;
  raceCardId: string;
  amountCents: number;
  soldAt: Date;
  heldAt: Date;
  /** A hold for a dispute ends automatically; a hold for a review needs an admin's decision. */
  heldFor: "review" | "dispute";
  heldReason: string;
};

/** Returns a page of held earnings, oldest sale first, after `afterSaleId`; optionally only one reason. */
export async function listHeldEarnings({
  heldFor,
  afterSaleId,
  limit = 20,
}: {
  heldFor?: HeldEarning["heldFor"] | null;
  afterSaleId?: number | null;
  limit?: number;
} = {}): Promise<{ earnings: HeldEarning[]; next: number | null }> {
  const { bind, addCondition, where, values } = createQueryParts();
  addCondition("e.held_at is not null");
  addCondition("not exists (select from earning_reversals r where r.sale_id = e.sale_id)");
  if (heldFor)
    addCondition(`(e.held_reason = any(${bind(REVIEW_REASONS)})) = ${bind(heldFor === "review")}`);
  if (afterSaleId) addCondition(`e.sale_id > ${bind(afterSaleId)}`);
  const { rows } = await pool().query<HeldEarning>(
    `select e.sale_id as "saleId", s.buyer_id as "buyerId", e.creator_id as "creatorId",
       s.race_card_id as "raceCardId", e.amount_cents as "amountCents", s.created_at as "soldAt",
       e.held_at as "heldAt", e.held_reason as "heldReason",
       case when e.held_reason = any(${bind(REVIEW_REASONS)}) then 'review' else 'dispute' end
         as "heldFor"
     from earnings e join sales s on s.id = e.sale_id
     ${where()} order by e.sale_id limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows, limit, ({ saleId }) => saleId);
  return { earnings: page, next };
}

/** Returns the number of sales that need a review. */
export async function countReviews(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `select count(*) from earnings e where e.held_at is not null and e.held_reason = any($1)
       and not exists (select from earning_reversals r where r.sale_id = e.sale_id)`,
    [REVIEW_REASONS],
  );
  return rows[0]?.count ?? 0;
}
