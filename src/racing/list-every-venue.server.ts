import { isId } from "#domain/id.ts";
import { pool } from "#platform/database.server.ts";
import { likePrefix, queryParts } from "#platform/query-parts.server.ts";
import type { Venue } from "./venue.server.ts";

export const VENUE_ORDERS = {
  name: { by: "lower(v.name)", key: "lower(name)", after: ">" },
  races: { by: "v.total_races desc, v.id desc", key: "total_races, id", after: "<" },
} as const;
export type VenueOrder = keyof typeof VENUE_ORDERS;

/** Every venue for the operator, switched off or not, from the one after the cursor on. */
export async function listEveryVenue({
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
