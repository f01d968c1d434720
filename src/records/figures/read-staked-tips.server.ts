import type { CalendarDate } from "#domain/calendar.ts";
import type { StakedTip } from "#domain/figures/level-stakes.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { BET_COLUMNS, type BetColumns, withBets } from "#tips/tips.server.ts";

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
    `select s.venue_id as "venueId", s.race_card_id as "raceCardId", ${BET_COLUMNS}
    from settled_tips s
    where s.creator_id = $1 and s.race_date >= $2::date and s.race_date <= $3::date
      and s.outcome <> 'void' and not s.is_late`,
    [creatorId, from, until],
  );
  const tips = rows.map(withBets);
  return Map.groupBy(tips, ({ venueId }) => venueId);
}
