/**
 * Returns the SQL condition for tips `t` of race cards `c` whose selection is public: once their race was run and has
 * an official result, otherwise from midnight after the race date. It is the only rule of reveal: pages, the API,
 * downloads and the public log use it. `today` is the SQL of today's date in South Africa.
 */
export function isRevealed(today: string): string {
  // The first condition bounds the scan of an index. No race of a later date has a result.
  return `c.race_date <= ${today} and (c.race_date < ${today} or exists (
    select from finished_races f where f.venue_id = c.venue_id and f.race_date = c.race_date
      and f.race_number = t.race_number))`;
}
