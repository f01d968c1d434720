import { and, asc, eq, gt, lte } from "drizzle-orm";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { readUsers } from "#identity/identity.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { enqueueMail } from "#platform/mail/mailer.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { type RaceCardSummary, readRaceCardSummaries } from "#tips/tips.server.ts";
import { type Posting, postToLedger, readWallet } from "#wallet/wallet.server.ts";
import { coinsReturnedMail } from "./coins-returned.email.tsx";
import { earningReversals, earnings, sales, voidReturns } from "./tables.server.ts";

/** Longer than a statement may take: an opening that was under way is over by then. */
const UNDER_WAY_MS = 15_000;
const AT_ONCE = 200;

type Sale = { id: number; buyerId: string; creatorId: string };

/**
 * Returns the coins of a card whose every race is void to each of its buyers, once, and takes its
 * earnings back: asked for within the transaction that found it void, done right after its commit,
 * buyer by buyer. What its creator has been paid for already stays with them.
 */
export async function refundVoidRaceCard(tx: Tx, raceCardId: string): Promise<void> {
  const at = now().getTime();
  const wish = { raceCardId, soldUntil: new Date(at + UNDER_WAY_MS).toISOString() };
  await enqueue(tx, refundVoidRaceCards, wish);
  // Whoever was just opening the card has not been seen by the first.
  await enqueue(tx, refundVoidRaceCards, wish, {
    startAfter: new Date(at + 2 * UNDER_WAY_MS),
  });
}

export const refundVoidRaceCards: Job<{ raceCardId: string; soldUntil: string }> = {
  name: "return-void-card",
  async run({ raceCardId, soldUntil }) {
    const raceCard = (await readRaceCardSummaries([raceCardId])).get(raceCardId);
    if (!raceCard) return;
    for (let lastId = 0; ; ) {
      const found = await database()
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
        .limit(AT_ONCE);
      for (const sale of found) await transaction((tx) => returnSale(tx, sale, raceCard));
      lastId = found.at(-1)?.id ?? 0;
      if (found.length < AT_ONCE) return;
    }
  },
};

async function returnSale(tx: Tx, sale: Sale, raceCard: RaceCardSummary): Promise<void> {
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
  // A refund or dispute has returned the price in money. A review took only the earning.
  if (reversal && reversal.reason !== "review") return;

  const repaid = Math.min(owedCoins, CARD_PRICE_COINS);
  const postings: Posting[] = [
    { account: "wallet", owner: buyerId, unit: "coin", amount: CARD_PRICE_COINS - repaid },
    { account: "owed", owner: buyerId, unit: "coin", amount: repaid },
    { account: "redeemed", unit: "coin", amount: -CARD_PRICE_COINS },
  ];
  const takesEarning = earning.payoutId === null && !reversal;
  if (takesEarning)
    postings.push(
      { account: "payable", owner: creatorId, unit: "cent", amount: -earning.amountCents },
      { account: "commission", unit: "cent", amount: earning.amountCents },
    );
  const transactionId = await postToLedger(
    tx,
    "reversal",
    voidReference(sale.id),
    postings.filter((each) => each.amount !== 0),
  );
  // Returned before.
  if (transactionId === null) return;
  await tx.insert(voidReturns).values({ saleId: sale.id, transactionId, createdAt: now() });
  if (takesEarning)
    await tx
      .insert(earningReversals)
      .values({ saleId: sale.id, reason: "void", transactionId, createdAt: now() });
  await tellReturned(tx, buyerId, raceCard, repaid);
}

/** The ledger reference of what a void card returns: not that of a reversed earning, which can come first. */
function voidReference(saleId: number): string {
  return `void:${saleId}`;
}

async function tellReturned(
  tx: Tx,
  buyerId: string,
  raceCard: RaceCardSummary,
  repaidCoins: number,
): Promise<void> {
  const user = (await readUsers([buyerId], tx)).get(buyerId);
  // A closed account has no address any more.
  if (!user || user.email.endsWith(".invalid")) return;
  await enqueueMail(tx, {
    to: user.email,
    userId: user.id,
    kind: "coins-returned",
    ...(await coinsReturnedMail({
      name: user.name,
      tipster: raceCard.creator.name,
      venue: raceCard.venue.name,
      raceDate: raceCard.raceDate,
      repaidCoins,
    })),
  });
}
