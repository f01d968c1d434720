import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
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

/** The venue with this id, slug or name, in whatever case; null for a deleted or unknown one. */
export async function findVenueByReference(reference: string): Promise<Venue | null> {
  const wanted = reference.trim().toLowerCase();
  if (isId(wanted)) return await findVenue(wanted);
  const [venue] = await database()
    .select(venueColumns)
    .from(venues)
    .where(
      and(
        isNull(venues.deletedAt),
        or(eq(venues.slug, wanted), eq(sql`lower(${venues.name})`, wanted)),
      ),
    )
    // A venue that was renamed keeps its slug, which goes before another's name.
    .orderBy(desc(eq(venues.slug, wanted)))
    .limit(1);
  return venue ?? null;
}
