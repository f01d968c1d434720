import { isId } from "#domain/id.ts";
import { pool } from "#platform/database.server.ts";
import { fullTextQuery, queryParts } from "#platform/query-parts.server.ts";
import { type Creator, creatorOf, SUMMARY_COLUMNS, type SummaryRow } from "./creator.server.ts";

export const CREATOR_ORDERS = {
  name: { by: "lower(k.display_name)", key: "lower(display_name)", after: ">" },
  newest: { by: "k.approved_at desc, k.user_id desc", key: "approved_at, user_id", after: "<" },
} as const;
export type CreatorOrder = keyof typeof CREATOR_ORDERS;

type Row = SummaryRow & Pick<Creator, "specialization" | "bio" | "approvedAt" | "suspendedAt">;

/** Every creator for the operator, suspended ones too, from the one after the cursor on. */
export async function listEveryCreator({
  search,
  kind,
  isSuspended,
  order = "name",
  cursor,
  limit = 20,
}: {
  search?: string | null;
  kind?: Creator["kind"] | null;
  isSuspended?: boolean | null;
  order?: CreatorOrder;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ creators: Creator[]; next: string | null }> {
  const { place, meet, where, values } = queryParts();
  const { by, key, after } = CREATOR_ORDERS[order];
  const words = fullTextQuery(search);
  if (words) meet(`to_tsvector('simple', k.display_name) @@ ${place(words)}::tsquery`);
  if (kind) meet(`k.kind = ${place(kind)}`);
  if (typeof isSuspended === "boolean")
    meet(`k.suspended_at is ${isSuspended ? "not null" : "null"}`);
  if (cursor && isId(cursor))
    meet(
      `(${by.replaceAll(" desc", "")}) ${after} (select ${key} from creators where user_id = ${place(cursor)})`,
    );
  const { rows } = await pool().query<Row>(
    `select ${SUMMARY_COLUMNS}, k.specialization, k.bio, k.approved_at as "approvedAt",
       k.suspended_at as "suspendedAt"
     from creators k left join creator_records n on n.creator_id = k.user_id
     ${where()} order by ${by} limit ${place(limit + 1)}`,
    values,
  );
  const creators = rows.slice(0, limit).map(creatorOf);
  return { creators, next: rows.length > limit ? (creators.at(-1)?.id ?? null) : null };
}
