import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import { type CoinReturnPlan, planCoinReturn, type ReturnableSale } from "#domain/coin-return.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx, transaction } from "#platform/database.server.ts";
import { enqueue, type Job, type JobReference } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import {
  type RaceCardSummary,
  readRaceCardSummaries,
  readRaceCardsOfTips,
  readVoidTips,
} from "#tips/tips.server.ts";
import { lockWallet, type Posting, postToLedger } from "#wallet/wallet.server.ts";
import { reverseEarningsOfClosedCreators } from "./reverse-sales.server.ts";
import {
  coinReturnNotices,
  coinReturns,
  earningReversals,
  earnings,
  sales,
} from "./tables.server.ts";

/** Longer than the statement timeout, so that unlocks already running have finished. */
const UNLOCK_TIMEOUT_MS = 15_000;
const SALES_PER_BATCH = 200;
const RACE_CARDS_PER_JOB = 25;

type CoinReturnParams = { raceCardIds: string[]; soldUntil: string };

/** The job is in payments, because returned coins can pay for sales whose payments were lost. */
const RETURN_COINS: JobReference<CoinReturnParams> = { name: "return-coins" };

/**
 * Sums what the coin returns of the sales that contain these tips will move. Must be called in the transaction that
 * changed the results of the tips. An earning in a payout counts too, because it is taken out of a payout that is in no
 * payment file.
 */
export async function sumCoinReturns(
  tx: Tx,
  tipIds: readonly string[],
): Promise<{ coins: number; sales: number; earningsCents: number }> {
  return await sumCoinReturnsOfRaceCards(
    tx,
    tipIds.length === 0 ? [] : await readRaceCardsOfTips(tx, tipIds),
  );
}

/** Does the same for the sales of race cards. */
export async function sumCoinReturnsOfRaceCards(
  tx: Tx,
  raceCardIds: readonly string[],
): Promise<{ coins: number; sales: number; earningsCents: number }> {
  const sum = { coins: 0, sales: 0, earningsCents: 0 };
  if (raceCardIds.length === 0) return sum;
  const affectedSales = await readSales(inArray(sales.raceCardId, [...raceCardIds]), null, tx);
  const voidTips = await readVoidTips(
    [...new Set(affectedSales.flatMap((sale) => sale.tipIds))],
    tx,
  );
  for (const sale of affectedSales) {
    const returnable = toReturnableSale(sale, voidTips);
    const plan = planCoinReturn({ ...returnable, isInPayout: false });
    if (!plan) continue;
    sum.sales += 1;
    sum.coins += plan.coins;
    sum.earningsCents += plan.payableCents;
  }
  return sum;
}

/**
 * Enqueues the coin returns of the sales of these race cards. Must be called in the transaction that changes the
 * results of their tips, for tips that become void and for tips that are no longer void. The coin returns run after its
 * commit, one transaction per sale, and bring each sale in line with the results that its tips have then. Can be called
 * repeatedly: what was returned is not returned again.
 */
export async function enqueueCoinReturns(tx: Tx, raceCardIds: readonly string[]): Promise<void> {
  const at = now().getTime();
  const soldUntil = new Date(at + UNLOCK_TIMEOUT_MS).toISOString();
  for (let index = 0; index < raceCardIds.length; index += RACE_CARDS_PER_JOB) {
    const params = { raceCardIds: raceCardIds.slice(index, index + RACE_CARDS_PER_JOB), soldUntil };
    await enqueue(tx, RETURN_COINS, params);
    // The second run finds sales whose unlock had not committed during the first. It also repairs sales that
    // the first skipped, because it checks them without a lock.
    await enqueue(tx, RETURN_COINS, params, { startAfter: new Date(at + 2 * UNLOCK_TIMEOUT_MS) });
  }
}

/** What later features do when coins are returned. */
type CoinReturnSteps = {
  /** Removes the earnings of these sales from payouts that are in no payment file. */
  removeFromPayouts: (tx: Tx, saleIds: number[]) => Promise<void>;
  /** Brings the sales of a buyer who owes coins or has an open dispute in line with the coins. */
  syncLostCoins: (tx: Tx, buyerId: string) => Promise<void>;
};

/** Creates the job that returns the coins of race cards, and brings the earnings in line with the results. */
export function createReturnCoinsJob(steps: CoinReturnSteps): Job<CoinReturnParams> {
  return {
    ...RETURN_COINS,
    async run({ raceCardIds, soldUntil }) {
      const raceCards = (await readRaceCardSummaries(raceCardIds)).values();
      const work = listWork(raceCards, new Date(soldUntil), steps);
      await runEach(
        RETURN_COINS.name,
        work,
        ({ name }) => name,
        ({ run }) => run(),
      );
    },
  };
}

/** Yields the transactions of these race cards. Each sale has its own, so that one that fails does not delay the others. */
async function* listWork(
  raceCards: Iterable<RaceCardSummary>,
  soldUntil: Date,
  { removeFromPayouts, syncLostCoins }: CoinReturnSteps,
): AsyncGenerator<{ name: string; run: () => Promise<void> }> {
  for (const raceCard of raceCards) {
    // Before the coin returns, because the amount of an earning in a payout cannot change. One transaction for all
    // sales of the race card, so that their creator gets one email.
    yield {
      name: `race card ${raceCard.id}`,
      run: () => removeEarningsFromPayouts(raceCard, removeFromPayouts),
    };
    for await (const sale of listSalesToReturn(raceCard, soldUntil))
      yield {
        name: `sale ${sale.id}`,
        run: () =>
          transaction(async (tx) => {
            const wallet = await lockWallet(tx, sale.buyerId);
            await returnCoinsOfSale(tx, { sale, raceCard, owedCoins: wallet.owedCoins });
            if (wallet.owedCoins > 0 || wallet.isFrozen) await syncLostCoins(tx, sale.buyerId);
          }),
      };
  }
}

/** Removes the earnings that the results of their tips change from payouts that are in no payment file. */
async function removeEarningsFromPayouts(
  raceCard: RaceCardSummary,
  removeFromPayouts: CoinReturnSteps["removeFromPayouts"],
): Promise<void> {
  await transaction(async (tx) => {
    const salesInPayouts = await readSales(
      and(eq(sales.raceCardId, raceCard.id), isNotNull(earnings.payoutId)),
      null,
      tx,
    );
    const saleIds = await filterSalesToAdjust(tx, salesInPayouts);
    if (saleIds.length > 0) await removeFromPayouts(tx, saleIds);
  });
}

/** Yields the sales of a race card that are not in line with the results of their tips. */
async function* listSalesToReturn(raceCard: RaceCardSummary, soldUntil: Date) {
  for (let lastId = 0; ; ) {
    const batch = await readSales(
      and(eq(sales.raceCardId, raceCard.id), gt(sales.id, lastId), lte(sales.createdAt, soldUntil)),
      SALES_PER_BATCH,
    );
    const voidTips = await readVoidTips([...new Set(batch.flatMap((sale) => sale.tipIds))]);
    // Most sales need no change, and only those that do are locked.
    for (const sale of batch) if (planCoinReturn(toReturnableSale(sale, voidTips))) yield sale;
    lastId = batch.at(-1)?.id ?? 0;
    if (batch.length < SALES_PER_BATCH) return;
  }
}

/**
 * Brings the earnings of sales in line with the results of their tips and the coins that they lack. Returns the changes
 * of what is owed to the creators. Must be called in the transaction that removed them from a payout, which fixed their
 * amounts, or that changed the lacking coins, so that no payout can include the wrong amount. That transaction has
 * locked the earnings, but not every buyer's wallet: sales that are still due coins are left to the job that was
 * enqueued with the result.
 */
export async function adjustEarnings(
  tx: Tx,
  saleIds: readonly number[],
): Promise<{ creatorId: string; payableCents: number }[]> {
  const adjustedSales = await readSales(
    sql`${sales.id} in (select unnest(${sql.param(saleIds)}::bigint[]))`,
    saleIds.length,
    tx,
  );
  const voidTips = await readVoidTips(
    adjustedSales.flatMap((sale) => sale.tipIds),
    tx,
  );
  const changes: { creatorId: string; payableCents: number }[] = [];
  for (const sale of adjustedSales) {
    const plan = planCoinReturn(toReturnableSale(sale, voidTips));
    if (plan?.coins !== 0) continue;
    await applyPlan(tx, sale, { plan, repaidCoins: 0, voidTips });
    changes.push({ creatorId: sale.creatorId, payableCents: plan.payableCents });
  }
  return changes;
}

/**
 * Returns the sales of these creators in these payouts, or in no payout, whose earnings do not follow the results of
 * their tips or their lacking coins yet: the job that returns the coins has not run since a result changed, or the
 * payout was in a payment file then. A sale made after its races is found once its coins were returned. Such an earning
 * must not enter or stay in a payout that will be exported with the wrong amount.
 */
export async function listSalesToAdjust(
  tx: Tx,
  { creatorIds, payoutIds = null }: { creatorIds: string[]; payoutIds?: string[] | null },
): Promise<number[]> {
  const affectedSales = await readSales(
    and(
      inArray(sales.creatorId, creatorIds),
      payoutIds === null ? isNull(earnings.payoutId) : inArray(earnings.payoutId, payoutIds),
      sql`(${earnings.amountCents} <> ${sales.earningCents}
        or ${earnings.lackingCoins} > 0 or ${earningReversals.reason} in ('void', 'lost')
        or exists (select from coin_returns r where r.sale_id = ${sales.id} and r.is_sold_after_races)
        or ${sales.raceCardId} in (
          select c.id from race_cards c join tips t on t.race_card_id = c.id
          where ${inArray(sql`c.creator_id`, creatorIds)} and t.result = 'void'))`,
    ),
    null,
    tx,
  );
  return await filterSalesToAdjust(tx, affectedSales);
}

/** Returns the sales whose earnings do not follow their results and lacking coins, those in payouts included. */
async function filterSalesToAdjust(tx: Tx, affectedSales: Sale[]): Promise<number[]> {
  const voidTips = await readVoidTips(
    [...new Set(affectedSales.flatMap((sale) => sale.tipIds))],
    tx,
  );
  return affectedSales
    .filter((sale) => {
      const plan = planCoinReturn({ ...toReturnableSale(sale, voidTips), isInPayout: false });
      return plan !== null && (plan.reducedCents !== 0 || plan.reversal !== null);
    })
    .map((sale) => sale.id);
}

type Sale = Omit<ReturnableSale, "isDue"> & {
  id: number;
  buyerId: string;
  creatorId: string;
  tipIds: string[];
  /** The number of coin returns of the sale. */
  steps: number;
  /** It was made after its races, so all its coins are due. */
  isSoldAfterRaces: boolean;
};

/** Brings one sale in line with the results of its tips. The wallet of its buyer must be locked. */
async function returnCoinsOfSale(
  tx: Tx,
  {
    sale: { id, buyerId },
    raceCard,
    owedCoins,
  }: { sale: Pick<Sale, "id" | "buyerId">; raceCard: RaceCardSummary; owedCoins: number },
): Promise<void> {
  // Locks the earning first, so that the next statement reads its latest state.
  await tx.select().from(earnings).where(eq(earnings.saleId, id)).for("update");
  const [sale] = await readSales(eq(sales.id, id), 1, tx);
  if (!sale) return;
  const voidTips = await readVoidTips(sale.tipIds, tx);
  const plan = planCoinReturn(toReturnableSale(sale, voidTips));
  if (!plan) return;
  const repaidCoins = Math.min(owedCoins, plan.coins);
  const { transactionId, createdAt } = await applyPlan(tx, sale, { plan, repaidCoins, voidTips });
  if (plan.coins > 0)
    await tx.insert(coinReturnNotices).values({
      transactionId,
      buyerId,
      raceCardId: raceCard.id,
      venueId: raceCard.venue.id,
      raceDate: raceCard.raceDate,
      coins: plan.coins,
      repaidCoins,
      createdAt,
    });
}

/** Posts the changes of a sale and records them as its next coin return. */
async function applyPlan(
  tx: Tx,
  sale: Sale,
  {
    plan,
    repaidCoins,
    voidTips,
  }: { plan: CoinReturnPlan; repaidCoins: number; voidTips: ReadonlySet<string> },
): Promise<{ transactionId: number; createdAt: Date }> {
  const step = sale.steps + 1;
  const transactionId = await postToLedger(
    tx,
    "reversal",
    `void:${sale.id}:${step}`,
    listPostings(sale, plan, repaidCoins),
  );
  if (transactionId === null)
    throw new Error(`coin return ${step} of sale ${sale.id} exists already`);
  const createdAt = now();
  await changeEarning(tx, sale, plan, transactionId, createdAt);
  await tx.insert(coinReturns).values({
    saleId: sale.id,
    step,
    coins: plan.coins,
    totalCoins: sale.returnedCoins + plan.coins,
    reducedCents: plan.reducedCents,
    tipIds: sale.tipIds.filter((tipId) => sale.isSoldAfterRaces || voidTips.has(tipId)),
    isSoldAfterRaces: sale.isSoldAfterRaces,
    transactionId,
    createdAt,
  });
  if (plan.payableCents > 0) await reverseEarningsOfClosedCreators(tx, [sale.creatorId]);
  return { transactionId, createdAt };
}

function listPostings(
  { buyerId, creatorId }: Sale,
  { coins, payableCents }: CoinReturnPlan,
  repaidCoins: number,
): Posting[] {
  const postings: Posting[] = [
    { account: "wallet", owner: buyerId, unit: "coin", amount: coins - repaidCoins },
    { account: "owed", owner: buyerId, unit: "coin", amount: repaidCoins },
    { account: "redeemed", unit: "coin", amount: -coins },
    { account: "payable", owner: creatorId, unit: "cent", amount: payableCents },
    { account: "commission", unit: "cent", amount: -payableCents },
  ];
  return postings.filter((posting) => posting.amount !== 0);
}

async function changeEarning(
  tx: Tx,
  { id, earningCents }: Sale,
  { reducedCents, reversal }: CoinReturnPlan,
  transactionId: number,
  createdAt: Date,
): Promise<void> {
  // Does nothing if the earning is not reversed.
  if (reversal !== null)
    await tx.execute(sql`select restore_earning(${id}, ${transactionId}, ${createdAt})`);
  if (reducedCents !== 0)
    await tx
      .update(earnings)
      .set({ amountCents: earningCents - reducedCents })
      .where(eq(earnings.saleId, id));
  if (reversal === "void" || reversal === "lost")
    await tx.insert(earningReversals).values({
      saleId: id,
      amountCents: earningCents,
      reason: reversal,
      transactionId,
      createdAt,
    });
}

/** Returns sales with what was returned for them, oldest first. */
async function readSales(
  condition: SQL | undefined,
  limit: number | null,
  tx?: Tx,
): Promise<Sale[]> {
  const newestReturn = (column: "step" | "total_coins") => sql<number>`coalesce((
    select ${sql.raw(column)} from coin_returns c where c.sale_id = ${sales.id}
    order by c.step desc limit 1), 0)`;
  const query = (tx ?? database())
    .select({
      id: sales.id,
      buyerId: sales.buyerId,
      creatorId: sales.creatorId,
      tipIds: sales.tipIds,
      sharesHundredths: sales.sharesHundredths,
      steps: newestReturn("step"),
      returnedCoins: newestReturn("total_coins"),
      lackingCoins: earnings.lackingCoins,
      fullEarningCents: sales.earningCents,
      earningCents: earnings.amountCents,
      isInPayout: sql<boolean>`${earnings.payoutId} is not null`,
      reversalReason: earningReversals.reason,
      isSoldAfterRaces: sql<boolean>`is_sold_after_races(${sales.id})`,
    })
    .from(sales)
    .innerJoin(earnings, eq(earnings.saleId, sales.id))
    .leftJoin(earningReversals, eq(earningReversals.saleId, sales.id))
    .where(condition)
    .orderBy(asc(sales.id));
  return await (limit === null ? query : query.limit(limit));
}

function toReturnableSale(sale: Sale, voidTips: ReadonlySet<string>): ReturnableSale {
  return {
    ...sale,
    isDue: sale.tipIds.map((tipId) => sale.isSoldAfterRaces || voidTips.has(tipId)),
  };
}
