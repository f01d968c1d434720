import { and, asc, eq, gt, lte } from "drizzle-orm";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { enqueueEmail } from "#platform/mail/mailer.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { type RaceCardSummary, readRaceCardSummaries } from "#tips/tips.server.ts";
import { type Posting, postToLedger, readWallet } from "#wallet/wallet.server.ts";
import { earningReversals, earnings, sales, voidRefunds } from "./tables.server.ts";
import { renderVoidRefundEmail } from "./void-refund.email.tsx";

/** Longer than the statement timeout, so that unlocks already running have finished. */
const UNLOCK_TIMEOUT_MS = 15_000;
const BATCH_SIZE = 200;

type Sale = { id: number; buyerId: string; creatorId: string };

/**
 * Enqueues the refund of a void race card: each buyer gets the coins back once, and its unpaid
 * earnings are reversed. Must be called in the transaction that voids the race card; the refunds run
 * after its commit, one transaction per buyer. Earnings that are already paid out are not reversed.
 */
export async function refundVoidRaceCard(tx: Tx, raceCardId: string): Promise<void> {
  const at = now().getTime();
  const params = { raceCardId, soldUntil: new Date(at + UNLOCK_TIMEOUT_MS).toISOString() };
  await enqueue(tx, refundVoidRaceCards, params);
  // The second run finds sales whose unlock had not committed during the first.
  await enqueue(tx, refundVoidRaceCards, params, {
    startAfter: new Date(at + 2 * UNLOCK_TIMEOUT_MS),
  });
}

export const refundVoidRaceCards: Job<{ raceCardId: string; soldUntil: string }> = {
  name: "refund-void-race-card",
  async run({ raceCardId, soldUntil }) {
    const raceCard = (await readRaceCardSummaries([raceCardId])).get(raceCardId);
    if (!raceCard) return;
    for (let lastId = 0; ; ) {
      const batch = await database()
        .select({ id: sales.id, buyerId: sales.buyerId, creatorId: sales.creatorId })
        .from(sales)
        .where(
          and(
            eq(sales.raceCardId, raceCardId),
            gt(sales.id, lastId),
            lte(sales.createdAt, new Date(soldUntil)),
          ),
        )
        .orderBy(asc(sales.id))
        .limit(BATCH_SIZE);
      for (const sale of batch) await transaction((tx) => refundSale(tx, sale, raceCard));
      lastId = batch.at(-1)?.id ?? 0;
      if (batch.length < BATCH_SIZE) return;
    }
  },
};

async function refundSale(tx: Tx, sale: Sale, raceCard: RaceCardSummary): Promise<void> {
  const { buyerId, creatorId } = sale;
  const { owedCoins } = await readWallet(buyerId, tx);
  const [earning] = await tx
    .select({ amountCents: earnings.amountCents, payoutId: earnings.payoutId })
    .from(earnings)
    .where(eq(earnings.saleId, sale.id))
    .for("update");
  if (!earning) return;
  const [reversal] = await tx
    .select({ reason: earningReversals.reason })
    .from(earningReversals)
    .where(eq(earningReversals.saleId, sale.id));
  // After a refund or dispute the price was returned as money. A review reversed only the earning.
  if (reversal && reversal.reason !== "review") return;

  const repaidCoins = Math.min(owedCoins, CARD_PRICE_COINS);
  const postings: Posting[] = [
    { account: "wallet", owner: buyerId, unit: "coin", amount: CARD_PRICE_COINS - repaidCoins },
    { account: "owed", owner: buyerId, unit: "coin", amount: repaidCoins },
    { account: "redeemed", unit: "coin", amount: -CARD_PRICE_COINS },
  ];
  const reversesEarning = earning.payoutId === null && !reversal;
  if (reversesEarning)
    postings.push(
      { account: "payable", owner: creatorId, unit: "cent", amount: -earning.amountCents },
      { account: "commission", unit: "cent", amount: earning.amountCents },
    );
  const transactionId = await postToLedger(
    tx,
    "reversal",
    toVoidReference(sale.id),
    postings.filter((posting) => posting.amount !== 0),
  );
  // The sale was refunded before.
  if (transactionId === null) return;
  await tx.insert(voidRefunds).values({ saleId: sale.id, transactionId, createdAt: now() });
  if (reversesEarning)
    await tx
      .insert(earningReversals)
      .values({ saleId: sale.id, reason: "void", transactionId, createdAt: now() });
  await enqueueVoidRefundEmail(tx, buyerId, raceCard, repaidCoins);
}

/**
 * Returns the ledger reference of a void refund. Differs from an earlier reversal of the same sale.
 */
function toVoidReference(saleId: number): string {
  return `void:${saleId}`;
}

async function enqueueVoidRefundEmail(
  tx: Tx,
  buyerId: string,
  raceCard: RaceCardSummary,
  repaidCoins: number,
): Promise<void> {
  const user = (await readUsers([buyerId], tx)).get(buyerId);
  // A closed account has no email address.
  if (!user || user.email.endsWith(".invalid")) return;
  await enqueueEmail(tx, {
    to: user.email,
    userId: user.id,
    kind: "coins-returned",
    ...(await renderVoidRefundEmail({
      name: user.name,
      tipster: raceCard.creator.name,
      venue: raceCard.venue.name,
      raceDate: raceCard.raceDate,
      repaidCoins,
    })),
  });
}
