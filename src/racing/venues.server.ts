import { and, asc, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, pool, type Tx } from "#platform/database.server.ts";
import { addCursor, ascending, descending, toPage } from "#platform/keyset-paging.server.ts";
import { createQueryParts, likePrefix } from "#platform/query-parts.server.ts";
import { venues } from "./tables.server.ts";

export type Venue = {
  id: string;
  slug: string;
  name: string;
  location: string;
  totalRaces: number;
  isActive: boolean;
};

/** Columns of a venue for the query builder. */
export const venueColumns = {
  id: venues.id,
  slug: venues.slug,
  name: venues.name,
  location: venues.location,
  totalRaces: venues.totalRaces,
  isActive: venues.isActive,
};

/** Returns the venue with this id or slug, active or not; null if it is deleted or unknown. */
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

/** Returns the venue with this id, deleted or not: the meetings of a deleted venue still need reports and results. */
export async function findAnyVenue(venueId: string, tx?: Tx): Promise<Venue | null> {
  const [venue] = await (tx ?? database())
    .select(venueColumns)
    .from(venues)
    .where(eq(venues.id, venueId));
  return venue ?? null;
}

/**
 * Returns the venue with this id, slug or name, ignoring case; null if it is deleted or unknown.
 */
export async function findVenueByReference(reference: string): Promise<Venue | null> {
  const normalised = reference.trim().toLowerCase();
  if (isId(normalised)) return await findVenue(normalised);
  const [venue] = await database()
    .select(venueColumns)
    .from(venues)
    .where(
      and(
        isNull(venues.deletedAt),
        or(eq(venues.slug, normalised), eq(sql`lower(${venues.name})`, normalised)),
      ),
    )
    // A renamed venue keeps its slug, which takes precedence over another venue's name.
    .orderBy(desc(eq(venues.slug, normalised)))
    .limit(1);
  return venue ?? null;
}

/** Returns the active venues, sorted by name. `includesInactive` adds the inactive ones, never deleted ones. */
export async function listVenues({
  includesInactive = false,
}: {
  includesInactive?: boolean;
} = {}): Promise<Venue[]> {
  return await database()
    .select(venueColumns)
    .from(venues)
    .where(and(isNull(venues.deletedAt), includesInactive ? undefined : eq(venues.isActive, true)))
    .orderBy(asc(venues.name));
}

/** Returns venue names by id, including deleted venues. */
export async function readVenueNames(venueIds: readonly string[]): Promise<Map<string, string>> {
  if (venueIds.length === 0) return new Map();
  const rows = await database()
    .select({ id: venues.id, name: venues.name })
    .from(venues)
    .where(inArray(venues.id, [...new Set(venueIds)]));
  return new Map(rows.map((venue) => [venue.id, venue.name]));
}

export const VENUE_ORDERS = {
  name: ascending("lower(v.name)"),
  races: descending("v.total_races", "v.id"),
};
export type VenueOrder = keyof typeof VENUE_ORDERS;

/** Returns a page of all venues, active or not, for admins, starting after the cursor. */
export async function listVenuePage({
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
  const query = createQueryParts();
  const { bind, addCondition, where, values } = query;
  const sortOrder = VENUE_ORDERS[order];
  const searchText = search?.trim().toLowerCase();
  addCondition("v.deleted_at is null");
  if (searchText) {
    const pattern = bind(likePrefix(searchText));
    addCondition(`(lower(v.name) like ${pattern} or lower(v.location) like ${pattern})`);
  }
  if (typeof isActive === "boolean") addCondition(`v.is_active = ${bind(isActive)}`);
  addCursor(query, sortOrder, cursor, { from: "venues v", idColumn: "v.id" });
  const { rows } = await pool().query<Venue>(
    `select v.id, v.slug, v.name, v.location, v.total_races as "totalRaces",
       v.is_active as "isActive"
     from venues v ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { venues: page, next };
}
