import { sql } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";

/** Keeps the unpaid earnings of a buyer's sales since an instant from being paid out, for a reason. */
export async function holdEarnings(
  tx: Tx,
  { buyerId, since, reason }: { buyerId: string; since: Date; reason: string },
): Promise<void> {
  await tx.execute(sql`
    update earnings e set held_at = ${now()}, held_reason = ${reason}
    from sales s where s.id = e.sale_id and s.buyer_id = ${buyerId} and s.created_at >= ${since}
      and e.payout_id is null and e.held_at is null`);
}

/** Lets go of what was held of a buyer's sales for that reason. */
export async function releaseEarnings(
  tx: Tx,
  { buyerId, reason }: { buyerId: string; reason: string },
): Promise<void> {
  await tx.execute(sql`
    update earnings e set held_at = null, held_reason = null
    from sales s where s.id = e.sale_id and s.buyer_id = ${buyerId} and e.held_reason = ${reason}`);
}
