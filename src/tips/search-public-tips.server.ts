import { dateAt } from "#domain/calendar.ts";
import { foldSearchText } from "#domain/fold-search-text.ts";
import { isRevealed } from "#domain/is-revealed.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { fullTextQuery } from "#platform/query-parts.server.ts";
import { PUBLIC_TIP_COLUMNS, PUBLIC_TIP_JOINS, type PublicTipRow } from "./public-tips.server.ts";

/** A public tip found by a search for its horse. */
type FoundTip = Omit<PublicTipRow, "offAt">;

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
    `select ${PUBLIC_TIP_COLUMNS}
     from tips t
     join race_cards c on c.id = t.race_card_id
     ${PUBLIC_TIP_JOINS}
     where to_tsvector('simple', fold_search_text(t.horse_name)) @@ $1::tsquery
       and ${isRevealed("$2::date")} and t.hidden_at is null and k.suspended_at is null
     order by c.race_date desc, t.race_number desc, t.id limit $3`,
    [words, dateAt(at), limit],
  );
}
