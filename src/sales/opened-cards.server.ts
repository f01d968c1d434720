import type { AsJson } from "#domain/as-json.ts";
import type { Tip } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { toPage } from "#platform/keyset-paging.server.ts";

/** A race card that a user has opened, with its tips. */
export type OpenedCard = {
  saleId: number;
  raceCardId: string;
  openedAt: Date;
  tips: OpenedTip[];
  coinReturn: CoinReturn;
};

/** The coins that a buyer has received back for a race card, and why. */
export type CoinReturn = {
  coins: number;
  /** The race card was opened after its last race; otherwise, the coins are those of void races. */
  isSoldAfterRaces: boolean;
};

const COIN_RETURN_OF_SALE = `(
  select coalesce(sum(c.coins), 0)::integer as coins,
    coalesce((array_agg(c.is_sold_after_races order by c.step desc))[1], false) as is_sold_after_races
  from coin_returns c where c.sale_id = s.id) r`;

/**
 * Returns a page of the race cards that a user has opened, newest first. `next` is the next
 * `beforeSaleId`.
 */
export async function readOpenedCards(
  userId: string,
  { beforeSaleId, limit = 12 }: { beforeSaleId?: number; limit?: number } = {},
): Promise<{ cards: OpenedCard[]; next: number | null }> {
  const rows = await queryPrepared<{
    sale_id: number;
    race_card_id: string;
    opened_at: Date;
    tips: OpenedTip[];
    coins: number;
    is_sold_after_races: boolean;
  }>(
    "read-opened-cards",
    `select s.id as sale_id, s.race_card_id, s.created_at as opened_at,
       opened_tips(s.race_card_id, s.created_at) as tips, r.*
     from (select * from sales where buyer_id = $1 and id < $2 order by id desc limit $3) s
     cross join lateral ${COIN_RETURN_OF_SALE}
     order by s.id desc`,
    [userId, beforeSaleId ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  const { page, next } = toPage(rows, limit, (row) => row.sale_id);
  const cards = page.map((row) => ({
    saleId: row.sale_id,
    raceCardId: row.race_card_id,
    openedAt: row.opened_at,
    tips: row.tips,
    coinReturn: { coins: row.coins, isSoldAfterRaces: row.is_sold_after_races },
  }));
  return { cards, next };
}

/** Returns which of these race cards the user has opened. */
export async function findOpenedCards(userId: string, raceCardIds: string[]): Promise<Set<string>> {
  if (raceCardIds.length === 0) return new Set();
  const rows = await queryPrepared<{ race_card_id: string }>(
    "find-opened-cards",
    "select race_card_id from sales where buyer_id = $1 and race_card_id = any($2::uuid[])",
    [userId, raceCardIds],
  );
  return new Set(rows.map((row) => row.race_card_id));
}

/** Returns the race cards of these sales by the id of the sale. */
export async function readRaceCardsOfSales(saleIds: number[]): Promise<Map<number, string>> {
  if (saleIds.length === 0) return new Map();
  const rows = await queryPrepared<{ id: number; race_card_id: string }>(
    "race-cards-of-sales",
    "select id, race_card_id from sales where id = any($1::bigint[])",
    [saleIds],
  );
  return new Map(rows.map((row) => [row.id, row.race_card_id]));
}

/** Returns the coins that a user has received back for a race card. */
export async function readCoinReturn(userId: string, raceCardId: string): Promise<CoinReturn> {
  const [row] = await queryPrepared<{ coins: number; is_sold_after_races: boolean }>(
    "coin-return",
    `select r.* from sales s cross join lateral ${COIN_RETURN_OF_SALE}
     where s.buyer_id = $1 and s.race_card_id = $2`,
    [userId, raceCardId],
  );
  return { coins: row?.coins ?? 0, isSoldAfterRaces: row?.is_sold_after_races ?? false };
}

/** A tip within its race card, for a viewer who may read its selection. */
export type CardTip = Omit<Tip, "raceCardId" | "raceDate" | "venueName" | "isHidden">;

/** A tip as its buyer sees it. */
export type OpenedTip = AsJson<
  CardTip & {
    analysis: string;
    /** When its horse was scratched; null while it runs. */
    scratchedAt: Date | null;
  }
>;

/** Returns the tips of these race cards by race card, only for race cards that the user has opened. */
export async function readOpenedTips(
  userId: string,
  raceCardIds: string[],
): Promise<Map<string, OpenedTip[]>> {
  if (raceCardIds.length === 0) return new Map();
  const rows = await queryPrepared<{ race_card_id: string; tips: OpenedTip[] }>(
    "opened-tips",
    `select s.race_card_id, opened_tips(s.race_card_id, s.created_at) as tips
     from sales s where s.buyer_id = $1 and s.race_card_id = any($2::uuid[])`,
    [userId, raceCardIds],
  );
  return new Map(rows.map((row) => [row.race_card_id, row.tips]));
}

/** A user's opened race cards and tips, and the coins spent on them, less those returned. */
export type OpenedCount = { raceCards: number; tips: number; spentCoins: number };

/** Counts the race cards and tips that a user has opened, and the coins spent on them, less those returned. */
export async function countOpened(userId: string): Promise<OpenedCount> {
  const [row] = await queryPrepared<OpenedCount>(
    "count-opened",
    `select count(*) as "raceCards", coalesce(sum(cardinality(tip_ids)), 0)::bigint as tips,
       coalesce(sum(price_coins - coalesce(returned.coins, 0)), 0)::bigint as "spentCoins"
     from sales s
     left join lateral (select sum(r.coins) as coins from coin_returns r where r.sale_id = s.id) returned on true
     where s.buyer_id = $1`,
    [userId],
  );
  return row ?? { raceCards: 0, tips: 0, spentCoins: 0 };
}
