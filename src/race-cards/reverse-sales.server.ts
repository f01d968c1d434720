import { sql } from "drizzle-orm";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { now } from "#platform/clock.server.ts";
import type { Tx } from "#platform/database.server.ts";
import { postToLedger } from "#wallet/wallet.server.ts";
import { earningReversals } from "./tables.server.ts";

export type ReversalReason = (typeof earningReversals.$inferInsert)["reason"];

/**
 * Takes the earnings back of a buyer's newest sales since an instant, whole sales up to so many coins,
 * as far as they are not yet payable (or held) and not paid out. The cards stay open. Answers the coins that those
 * sales had moved; the caller posts what becomes of them.
 */
export async function reverseNewestSales(
  tx: Tx,
  wish: { buyerId: string; since: Date; upToCoins: number; reason: ReversalReason },
): Promise<{ coins: number; saleIds: number[] }> {
  const { rows } = await tx.execute<{ sale_id: number; creator_id: string; amount_cents: number }>(
    sql`select e.sale_id, e.creator_id, e.amount_cents
      from sales s join earnings e on e.sale_id = s.id
      where s.buyer_id = ${wish.buyerId} and s.created_at >= ${wish.since}
        and (e.payable_at > ${now()} or e.held_at is not null) and e.payout_id is null
        and not exists (select from earning_reversals r where r.sale_id = s.id)
      order by s.id desc
      limit ${Math.floor(wish.upToCoins / CARD_PRICE_COINS)}
      for update of e`,
  );
  for (const row of rows) await reverseEarning(tx, row, wish.reason);
  return { coins: rows.length * CARD_PRICE_COINS, saleIds: rows.map((row) => row.sale_id) };
}

/** Takes one earning back, once: the creator is owed that much less. */
export async function reverseEarning(
  tx: Tx,
  earning: { sale_id: number; creator_id: string; amount_cents: number },
  reason: ReversalReason,
): Promise<void> {
  const transactionId = await postToLedger(tx, "reversal", `sale:${earning.sale_id}`, [
    {
      account: "payable",
      owner: earning.creator_id,
      unit: "cent",
      amount: -earning.amount_cents,
    },
    { account: "commission", unit: "cent", amount: earning.amount_cents },
  ]);
  if (transactionId === null) return;
  await tx
    .insert(earningReversals)
    .values({ saleId: earning.sale_id, reason, transactionId, createdAt: now() });
}
