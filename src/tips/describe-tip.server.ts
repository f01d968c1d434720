import { sql } from "drizzle-orm";
import { type CalendarDate, formatDate } from "#domain/calendar.ts";
import type { Tx } from "#platform/database.server.ts";

/** Whose tip it is, and the tip in words for its creator: "race 3 at Kenilworth on 21 Nov 2026". */
export async function describeTip(
  tx: Tx,
  tipId: string,
): Promise<{ creatorId: string; tip: string; card: string } | null> {
  const { rows } = await tx.execute<{
    creator_id: string;
    race_number: number;
    race_date: CalendarDate;
    venue: string;
  }>(sql`
    select c.creator_id, t.race_number, c.race_date::text as race_date, v.name as venue
    from tips t join race_cards c on c.id = t.race_card_id join venues v on v.id = c.venue_id
    where t.id = ${tipId}`);
  const [row] = rows;
  if (!row) return null;
  const card = `${row.venue} on ${formatDate(row.race_date)}`;
  return { creatorId: row.creator_id, card, tip: `race ${row.race_number} at ${card}` };
}
