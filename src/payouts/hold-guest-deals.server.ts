import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { readRaceCardSummaries } from "#tips/tips.server.ts";
import { holdEarnings } from "./hold-earnings.server.ts";
import { GUEST_DEAL_SHARE_REASON } from "./list-held-earnings.server.ts";

/** The fewest guest-deal sales within the window that are reviewed if they are more than half of all sales. */
const MIN_GUEST_DEALS = 5;
const WINDOW_DAYS = 30;

/** SQL condition for a sale "s" that welcome coins paid for: the first one of a buyer who received them. */
const IS_GUEST_DEAL = sql`
  exists (select from wallets w where w.user_id = s.buyer_id and w.guest_deal_at is not null)
    and not exists (select from sales f where f.buyer_id = s.buyer_id and f.id < s.id)`;

/**
 * Holds for review the earnings that welcome coins paid for, if the creator had five or more guest-deal sales in the
 * last 30 days and they are more than half of the creator's sales. Earnings that an admin has released, or that are
 * in a payment file, stay as they are.
 */
export async function holdGuestDeals(tx: Tx, creatorId: string): Promise<void> {
  const since = new Date(now().getTime() - WINDOW_DAYS * 24 * 60 * 60 * 1000);
  const { rows } = await tx.execute<{ is_over: boolean }>(sql`
    select count(*) filter (where is_guest_deal) >= ${MIN_GUEST_DEALS}
      and 2 * count(*) filter (where is_guest_deal) > count(*) as is_over
    from (select ${IS_GUEST_DEAL} as is_guest_deal from sales s
      where s.creator_id = ${creatorId} and s.created_at > ${since}) recent`);
  if (!rows[0]?.is_over) return;
  const isUnpaid = sql`(e.payout_id is null or exists (select from payouts o where o.id = e.payout_id
    and o.status in ('requested', 'processing') and o.export_id is null))`;
  const { rows: guestDeals } = await tx.execute<{ sale_id: number }>(sql`
    select s.id as sale_id from sales s join earnings e on e.sale_id = s.id
    where s.creator_id = ${creatorId} and ${IS_GUEST_DEAL} and e.reviewed_at is null and ${isUnpaid}`);
  await holdEarnings(tx, {
    saleIds: guestDeals.map((row) => row.sale_id),
    reason: GUEST_DEAL_SHARE_REASON,
  });
}

/** Runs after each guest deal. The share can also rise without a sale, which the next payout finds. */
export const holdGuestDealsJob: Job<{ raceCardId: string }> = {
  name: "hold-guest-deals",
  async run({ raceCardId }) {
    const raceCard = (await readRaceCardSummaries([raceCardId])).get(raceCardId);
    if (raceCard) await transaction((tx) => holdGuestDeals(tx, raceCard.creator.id));
  },
};
