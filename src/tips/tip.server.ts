import { addDays, dateAt } from "#domain/calendar.ts";
import type { Tip } from "#domain/tip.ts";

/**
 * The columns of a Tip, except its off: of a tip `t` of a race card `c` at a venue `v`. They include the selection, so
 * a query for others than its creator, its buyers and admins must have the condition `isRevealed`.
 */
export const TIP_COLUMNS = `
  t.id, c.id as "raceCardId", c.race_date as "raceDate", v.name as "venueName",
  t.race_number as "raceNumber", t.horse_number as "horseNumber", t.horse_name as "horseName",
  t.tip_type as "tipType", t.confidence, t.result, t.is_claim as "isClaim",
  t.claimed_result as "claimedResult", t.settlement_version is not null as "isOfficial",
  t.published_at as "publishedAt", t.is_late as "isLate", t.hidden_at is not null as "isHidden"`;

/** Joins the reported race `r` of a tip. */
export const JOIN_REPORTED_RACE = `left join race_off_times r on r.venue_id = c.venue_id
  and r.race_date = c.race_date and r.race_number = t.race_number`;
export const OFF_AT_COLUMN = 'coalesce(r.off_at, t.entered_off_at) as "offAt"';

/** SQL for the instant from which a tip can be settled, as computeSettleableAt returns it. */
export const SETTLEABLE_FROM = "coalesce(r.off_at, t.entered_off_at, unknown_off_at(c.race_date))";

/** A tip without a result is shown as overdue after this many days. */
export const RESULT_OVERDUE_AFTER_DAYS = 3;

/** Returns a tip with whether it has no result RESULT_OVERDUE_AFTER_DAYS after its race date. */
export function withResultOverdue<Row extends Pick<Tip, "result" | "raceDate">>(
  tip: Row,
  at: Date,
): Row & { isResultOverdue: boolean } {
  const lastDate = addDays(tip.raceDate, RESULT_OVERDUE_AFTER_DAYS);
  return { ...tip, isResultOverdue: tip.result === null && lastDate < dateAt(at) };
}
