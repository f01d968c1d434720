import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { type Creator, creatorColumns, creatorOf } from "./creator.server.ts";
import { creatorRecords, creators } from "./tables.server.ts";

/** The creator with this user id or slug, suspended or not; null for nobody. */
export async function findCreator(idOrSlug: string, tx?: Tx): Promise<Creator | null> {
  const [row] = await (tx ?? database())
    .select(creatorColumns)
    .from(creators)
    .innerJoin(creatorRecords, eq(creatorRecords.creatorId, creators.userId))
    .where(isId(idOrSlug) ? eq(creators.userId, idOrSlug) : eq(creators.slug, idOrSlug));
  return row ? creatorOf(row) : null;
}
