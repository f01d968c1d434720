import { and, eq, isNull } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { venues } from "./tables.server.ts";
import { type Venue, venueColumns } from "./venue.server.ts";

/** The venue with this id or slug, active or not; null for a deleted or unknown one. */
export async function findVenue(idOrSlug: string, tx?: Tx): Promise<Venue | null> {
  const [venue] = await (tx ?? database())
    .select(venueColumns)
    .from(venues)
    .where(
      and(
        isNull(venues.deletedAt),
        isId(idOrSlug) ? eq(venues.id, idOrSlug) : eq(venues.slug, idOrSlug),
      ),
    );
  return venue ?? null;
}
