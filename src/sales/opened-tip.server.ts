import type { Confidence, TipResult, TipType } from "#domain/tip.ts";
import { prepared } from "#platform/database.server.ts";

/** A tip as its buyer reads it. Instants are ISO texts; the off is null where nobody has given it. */
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

/** The tips of the cards that this user has opened, by card; a card not opened is not among them. */
export async function openedTips(
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
