import type { Confidence, TipResult, TipType } from "#domain/tip.ts";
import { prepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";

/** A race card that a user has opened, with its tips. */
export type OpenedCard = {
  saleId: number;
  raceCardId: string;
  openedAt: Date;
  tips: OpenedTip[];
  /** Every race was declared void and the coins were refunded. */
  areCoinsRefunded: boolean;
};

/**
 * Returns a page of the race cards that a user has opened, newest first. `next` is the next
 * `beforeSaleId`.
 */
export async function readOpenedCards(
  userId: string,
  { beforeSaleId, limit = 12 }: { beforeSaleId?: number; limit?: number } = {},
): Promise<{ cards: OpenedCard[]; next: number | null }> {
  const rows = await prepared<{
    sale_id: number;
    race_card_id: string;
    opened_at: Date;
    tips: OpenedTip[];
    are_coins_returned: boolean;
  }>(
    "read-opened-cards",
    `select s.id as sale_id, s.race_card_id, s.created_at as opened_at,
       opened_tips(s.race_card_id, s.created_at) as tips,
       (select v.sale_id from void_refunds v where v.sale_id = s.id) is not null
         as are_coins_returned
     from (select * from sales where buyer_id = $1 and id < $2 order by id desc limit $3) s
     order by s.id desc`,
    [userId, beforeSaleId ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  const { page, next } = toPage(rows, limit, (row) => row.sale_id);
  const cards = page.map((row) => ({
    saleId: row.sale_id,
    raceCardId: row.race_card_id,
    openedAt: row.opened_at,
    tips: row.tips,
    areCoinsRefunded: row.are_coins_returned,
  }));
  return { cards, next };
}

/** Returns which of these race cards the user has opened. */
export async function findOpenedCards(userId: string, raceCardIds: string[]): Promise<Set<string>> {
  if (raceCardIds.length === 0) return new Set();
  const rows = await prepared<{ race_card_id: string }>(
    "find-opened-cards",
    "select race_card_id from sales where buyer_id = $1 and race_card_id = any($2::uuid[])",
    [userId, raceCardIds],
  );
  return new Set(rows.map((row) => row.race_card_id));
}

/** Returns whether the user's coins for a race card were refunded because it is void. */
export async function areCoinsRefunded(userId: string, raceCardId: string): Promise<boolean> {
  const rows = await prepared(
    "are-coins-returned",
    `select from sales s join void_refunds v on v.sale_id = s.id
     where s.buyer_id = $1 and s.race_card_id = $2`,
    [userId, raceCardId],
  );
  return rows.length > 0;
}

/**
 * A tip as its buyer sees it. Instants are ISO strings; `offAt` is null while the off time is
 * unknown.
 */
export type OpenedTip = {
  id: string;
  raceNumber: number;
  offAt: string | null;
  horseNumber: number;
  horseName: string;
  tipType: TipType;
  confidence: Confidence;
  analysis: string;
  result: TipResult | null;
  isLate: boolean;
  publishedAt: string;
};

/** Returns the tips of these race cards by race card, only for race cards that the user has opened. */
export async function readOpenedTips(
  userId: string,
  raceCardIds: string[],
): Promise<Map<string, OpenedTip[]>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await prepared<{ race_card_id: string; tips: OpenedTip[] }>(
    "opened-tips",
    `select s.race_card_id, opened_tips(s.race_card_id, s.created_at) as tips
     from sales s where s.buyer_id = $1 and s.race_card_id = any($2::uuid[])`,
    [userId, raceCardIds],
  );
  return new Map(rows.map((row) => [row.race_card_id, row.tips]));
}

/** A user's opened race cards and tips, and the coins spent on them. */
export type OpenedCount = { raceCards: number; tips: number; spentCoins: number };

/** Counts the race cards and tips that a user has opened, and the coins spent. */
export async function countOpened(userId: string): Promise<OpenedCount> {
  const [row] = await prepared<OpenedCount>(
    "count-opened",
    `select count(*) as "raceCards", coalesce(sum(cardinality(tip_ids)), 0)::bigint as tips,
       coalesce(sum(price_coins), 0)::bigint as "spentCoins"
     from sales where buyer_id = $1`,
    [userId],
  );
  return row ?? { raceCards: 0, tips: 0, spentCoins: 0 };
}
