import { and, eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { type Tx, transaction } from "#platform/database.server.ts";
import { enqueue } from "#platform/queue.server.ts";
import { lockWallet } from "#wallet/wallet.server.ts";
import { canRefund } from "../gateways.server.ts";
import { coinPurchases, purchaseRefunds } from "../tables.server.ts";
import { listUnspentCoins } from "../unspent-coins/list-unspent-coins.server.ts";
import { findEarliestCancellable } from "./cancellation-days.ts";
import {
  insertRefund,
  isRefundInProgress,
  type RefundRefusal,
  sendPurchaseRefund,
} from "./refund-purchase.server.ts";

type OwnRefundRefusal =
  | Exclude<RefundRefusal, "yourself" | "above-remaining" | "remaining-changed" | "other-terms">
  | "too-late"
  | "wallet-frozen"
  | "spent"
  | "amount-changed";

/** What a buyer gets back of a purchase: the coins that are not spent, and what was paid for them. */
export type OwnRefund = { coinPackTitle: string; coins: number; amountCents: number };

/**
 * Returns what a buyer can get back of a purchase, or why nothing. Section 44 of the Electronic Communications and
 * Transactions Act 25 of 2002 lets a consumer cancel within seven days; what was spent is excluded by section 42(2).
 */
export async function readOwnRefund(userId: string, purchaseId: string) {
  return await transaction((tx) => findOwnRefund(tx, userId, purchaseId));
}

async function findOwnRefund(
  tx: Tx,
  userId: string,
  purchaseId: string,
): Promise<({ ok: true } & OwnRefund) | { ok: false; refusal: OwnRefundRefusal }> {
  const [purchase] = isId(purchaseId)
    ? await tx.select().from(coinPurchases).where(eq(coinPurchases.id, purchaseId)).for("update")
    : [];
  if (purchase?.userId !== userId) return { ok: false, refusal: "no-such-purchase" };
  if (purchase.createdAt < findEarliestCancellable(now()))
    return { ok: false, refusal: "too-late" };
  if (purchase.disputeStatus === "open") return { ok: false, refusal: "disputed" };
  if (!canRefund(purchase.provider)) return { ok: false, refusal: "not-refundable" };
  const { balanceCoins, isFrozen } = await lockWallet(tx, userId);
  // Another payment in dispute or being refunded may take these coins.
  if (isFrozen) {
    const isInProgress = await isRefundInProgress(tx, purchaseId);
    return { ok: false, refusal: isInProgress ? "in-progress" : "wallet-frozen" };
  }
  const unspent = (await listUnspentCoins(userId, balanceCoins, tx)).find(
    (coins) => coins.purchaseId === purchaseId && coins.isRefundable,
  );
  if (!unspent) return { ok: false, refusal: "spent" };
  const { coins, amountCents } = unspent;
  return { ok: true, coinPackTitle: purchase.coinPackTitle, coins, amountCents };
}

/**
 * Requests the refund of a buyer's unspent coins of a purchase. A repeated request with the same id is the same refund.
 * Until the provider has answered, the wallet is frozen, so that the coins cannot be spent as well. Refuses when the
 * buyer would get back another amount than was shown, because coins were spent, returned or refunded meanwhile.
 */
export async function refundOwnPurchase(
  userId: string,
  { id, purchaseId, shownCents }: { id: string; purchaseId: string; shownCents: number },
): Promise<{ ok: true } | { ok: false; refusal: OwnRefundRefusal }> {
  return await transaction(async (tx) => {
    const isSame = and(eq(purchaseRefunds.id, id), eq(purchaseRefunds.purchaseId, purchaseId));
    if (isId(purchaseId) && (await tx.$count(purchaseRefunds, isSame)) > 0) return { ok: true };
    const found = await findOwnRefund(tx, userId, purchaseId);
    if (!found.ok) return found;
    if (found.amountCents !== shownCents) return { ok: false, refusal: "amount-changed" };
    const result = await insertRefund(tx, {
      id,
      purchaseId,
      amountCents: found.amountCents,
      isBorneByHouse: false,
      reason: "Cancelled by the buyer",
      requestedBy: null,
    });
    // A buyer is no admin who refunds themselves, and asks for no more than is left.
    if (!result.ok) return { ok: false, refusal: result.refusal as OwnRefundRefusal };
    if (result.isNew) await enqueue(tx, sendPurchaseRefund, { refundId: id });
    return { ok: true };
  });
}
