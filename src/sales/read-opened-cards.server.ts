import { prepared } from "#platform/database.server.ts";
import type { OpenedTip } from "./opened-tip.server.ts";

/** A card that a user has opened, with everything in it that they may read. Instants are dates. */
export type OpenedCard = {
  saleId: number;
  raceCardId: string;
  openedAt: Date;
  tips: OpenedTip[];
  /** Every race of it was declared void, and its coins came back. */
  areCoinsReturned: boolean;
};

/** What a user has opened, newest first, from the sale before `beforeSaleId` on; `next` continues. */
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
       (select v.sale_id from void_returns v where v.sale_id = s.id) is not null
         as are_coins_returned
     from (select * from sales where buyer_id = $1 and id < $2 order by id desc limit $3) s
     order by s.id desc`,
    [userId, beforeSaleId ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  const cards = rows.slice(0, limit).map((row) => ({
    saleId: row.sale_id,
    raceCardId: row.race_card_id,
    openedAt: row.opened_at,
    tips: row.tips,
    areCoinsReturned: row.are_coins_returned,
  }));
  return { cards, next: rows.length > limit ? (cards.at(-1)?.saleId ?? null) : null };
}

/** Which of these cards the user has opened. */
export async function findOpenedCards(userId: string, raceCardIds: string[]): Promise<Set<string>> {
  if (raceCardIds.length === 0) return new Set();
  const rows = await prepared<{ race_card_id: string }>(
    "find-opened-cards",
    "select race_card_id from sales where buyer_id = $1 and race_card_id = any($2::uuid[])",
    [userId, raceCardIds],
  );
  return new Set(rows.map((row) => row.race_card_id));
}

/** Whether a card that the user opened was declared void and its coins came back. */
export async function areCoinsReturned(userId: string, raceCardId: string): Promise<boolean> {
  const rows = await prepared(
    "are-coins-returned",
    `select from sales s join void_returns v on v.sale_id = s.id
     where s.buyer_id = $1 and s.race_card_id = $2`,
    [userId, raceCardId],
  );
  return rows.length > 0;
}
