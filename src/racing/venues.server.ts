import { and, asc, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, pool, type Tx } from "#platform/database.server.ts";
import { likePrefix, queryParts } from "#platform/query-parts.server.ts";
import { venues } from "./tables.server.ts";

export type Venue = {
  id: string;
  slug: string;
  name: string;
  location: string;
  totalRaces: number;
  isActive: boolean;
};

/** The columns a venue is read by. */
export const venueColumns = {
  id: venues.id,
  slug: venues.slug,
  name: venues.name,
  location: venues.location,
  totalRaces: venues.totalRaces,
  isActive: venues.isActive,
};

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

/** The active venues by name; with `all`, those the operator has switched off too. Deleted ones never. */
export async function listVenues({ all = false }: { all?: boolean } = {}): Promise<Venue[]> {
  return await database()
    .select(venueColumns)
    .from(venues)
    .where(and(isNull(venues.deletedAt), all ? undefined : eq(venues.isActive, true)))
    .orderBy(asc(venues.name));
}

/** The names of these venues by id, deleted ones too. */
export async function readVenueNames(venueIds: readonly string[]): Promise<Map<string, string>> {
  if (venueIds.length === 0) return new Map();
  const rows = await database()
    .select({ id: venues.id, name: venues.name })
    .from(venues)
    .where(inArray(venues.id, [...new Set(venueIds)]));
  return new Map(rows.map((venue) => [venue.id, venue.name]));
}

export const VENUE_ORDERS = {
  name: { by: "lower(v.name)", key: "lower(name)", after: ">" },
  races: { by: "v.total_races desc, v.id desc", key: "total_races, id", after: "<" },
} as const;
export type VenueOrder = keyof typeof VENUE_ORDERS;

/** Every venue for the operator, switched off or not, from the one after the cursor on. */
export async function listAllVenues({
  search,
  isActive,
  order = "name",
  cursor,
  limit = 20,
}: {
  search?: string | null;
  isActive?: boolean | null;
  order?: VenueOrder;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ venues: Venue[]; next: string | null }> {
  const { place, meet, where, values } = queryParts();
  const { by, key, after } = VENUE_ORDERS[order];
  const typed = search?.trim().toLowerCase();
  meet("v.deleted_at is null");
  if (typed) {
    const found = place(likePrefix(typed));
    meet(`(lower(v.name) like ${found} or lower(v.location) like ${found})`);
  }
  if (typeof isActive === "boolean") meet(`v.is_active = ${place(isActive)}`);
  if (cursor && isId(cursor))
    meet(
      `(${by.replaceAll(" desc", "")}) ${after} (select ${key} from venues where id = ${place(cursor)})`,
    );
  const { rows } = await pool().query<Venue>(
    `select v.id, v.slug, v.name, v.location, v.total_races as "totalRaces",
       v.is_active as "isActive"
     from venues v ${where()} order by ${by} limit ${place(limit + 1)}`,
    values,
  );
  const venues = rows.slice(0, limit);
  return { venues, next: rows.length > limit ? (venues.at(-1)?.id ?? null) : null };
}
