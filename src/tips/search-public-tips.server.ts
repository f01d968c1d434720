import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import { foldSearchText } from "#domain/fold-search-text.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import type { ResultBasis, TipResult } from "#domain/tip.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { fullTextQuery } from "#platform/query-parts.server.ts";

/** A public tip found by a search for its horse. */
type FoundTip = ResultBasis & {
  id: string;
  raceCardId: string;
  raceDate: CalendarDate;
  venueName: string;
  creatorName: string;
  raceNumber: number;
  horseNumber: number;
  horseName: string;
  result: TipResult | null;
};

/**
 * Returns the public tips on horses whose name has, for each word of the search, a word that starts with it, newest race
 * date first. A tip is found from when its selection is public: a search must not reveal what a locked race card selects.
 */
export async function searchPublicTips(
  search: string,
  { at, limit }: { at: Date; limit: number },
): Promise<FoundTip[]> {
  const words = fullTextQuery(foldSearchText(search));
  if (!words) return [];
  return await queryPrepared<FoundTip>(
    "search-public-tips",
    `select t.id, c.id as "raceCardId", c.race_date as "raceDate", v.name as "venueName",
       k.display_name as "creatorName", t.race_number as "raceNumber",
       t.horse_number as "horseNumber", t.horse_name as "horseName", t.result,
       t.is_claim as "isClaim", t.claimed_result as "claimedResult",
       t.settlement_version is not null as "isOfficial"
     from tips t
     join race_cards c on c.id = t.race_card_id
     join venues v on v.id = c.venue_id
     join creators k on k.user_id = c.creator_id
     where to_tsvector('simple', fold_search_text(t.horse_name)) @@ $1::tsquery
       and ${isRevealed("$2::date")} and t.hidden_at is null and k.suspended_at is null
     order by c.race_date desc, t.race_number desc, t.id limit $3`,
    [words, dateAt(at), limit],
  );
}
