import type { CalendarDate } from "#domain/calendar.ts";
import type { StakedTip } from "#domain/figures/level-stakes.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { BET_COLUMNS, type BetColumns, withBets } from "./read-settled-tips.server.ts";

/**
 * Returns the counted tips of a creator by venue id, from a race date on. The cost depends on the number of race
 * days since then, not on the length of the record.
 */
export async function readStakedTips(
  creatorId: string,
  { from, until }: { from: CalendarDate; until: CalendarDate },
): Promise<Map<string, StakedTip[]>> {
  const rows = await queryPrepared<BetColumns & { venueId: string; raceCardId: string }>(
    "staked-tips",
    `select c.venue_id as "venueId", c.id as "raceCardId", ${BET_COLUMNS}
    from race_cards c
    join tips t on t.race_card_id = c.id and t.settlement_version is not null and not t.is_late
    join tip_settlements s on s.tip_id = t.id and s.version = t.settlement_version
      and s.outcome <> 'void'
    where c.creator_id = $1 and c.race_date >= $2::date and c.race_date <= $3::date`,
    [creatorId, from, until],
  );
  const tips = rows.map(withBets);
  return Map.groupBy(tips, ({ venueId }) => venueId);
}
