import { foldSearchText } from "#domain/fold-search-text.ts";
import { MIN_SETTLED_FOR_RANK } from "#domain/track-record.ts";
import { pool, queryPrepared } from "#platform/database.server.ts";
import { addCursor, ascending, descending, toPage } from "#platform/keyset-paging.server.ts";
import { createQueryParts, fullTextQuery } from "#platform/query-parts.server.ts";
import { type Creator, SUMMARY_COLUMNS, type SummaryRow, toCreator } from "./creator.server.ts";

type Key = [isUnranked: number, minusLowest: number, minusSettled: number, name: string];
type CreatorRow = SummaryRow &
  Pick<Creator, "specialization" | "bio" | "approvedAt" | "suspendedAt">;
type KeyedRow = CreatorRow & { key: Key };

/**
 * Returns a page of creators, starting after the cursor, sorted by name or by record. The record order is
 * that of `compareTrackRecords`: creators with enough settled tips for a rank first, then by the lower bound of the
 * win rate. `all` includes suspended creators, for admins.
 */
export async function listCreators({
  order = "name",
  all = false,
  search = null,
  kind = null,
  cursor,
  limit = 20,
}: {
  order?: "name" | "record";
  all?: boolean;
  search?: string | null;
  kind?: Creator["kind"] | null;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ creators: Creator[]; next: string | null }> {
  const after = readKey(cursor);
  const rows = await queryPrepared<KeyedRow>(
    "list-creators",
    `select f.*, json_build_array(f.k1, f.k2, f.k3, f.k4) as key from (
      select ${SUMMARY_COLUMNS}, k.specialization, k.bio, k.approved_at as "approvedAt",
        k.suspended_at as "suspendedAt",
        case when $1 = 'record' and n.settled < ${MIN_SETTLED_FOR_RANK} then 1 else 0 end as k1,
        case when $1 = 'record'
          then -coalesce(${LOWER_CONFIDENCE_BOUND}, -1) else 0 end as k2,
        case when $1 = 'record' then -n.settled else 0 end as k3,
        lower(k.display_name) as k4
      from creators k join creator_records n on n.creator_id = k.user_id
      where ($2 or k.suspended_at is null)
        and ($3::text is null or strpos(fold_search_text(k.display_name), $3) > 0)
        and ($4::text is null or k.kind = $4)
    ) f
    where $5::int is null or (f.k1, f.k2, f.k3, f.k4) > ($5, $6::float8, $7::int, $8::text)
    order by f.k1, f.k2, f.k3, f.k4 limit $9`,
    [
      order,
      all,
      foldSearchText(search ?? "").trim() || null,
      kind,
      ...(after ?? [null, null, null, null]),
      limit + 1,
    ],
  );
  const { page, next } = toPage(rows, limit, ({ key }) =>
    Buffer.from(JSON.stringify(key)).toString("base64url"),
  );
  return { creators: page.map(toCreator), next };
}

/**
 * The lower bound of `computeWinRateInterval` as a fraction, computed in SQL because there may be too many
 * creators to sort in memory.
 */
const Z_SQUARED_OVER_N = "3.8416 / n.settled";
const LOWER_CONFIDENCE_BOUND = `case when n.settled > 0 then greatest(0, (
  n.won::float8 / n.settled + ${Z_SQUARED_OVER_N} / 2
    - sqrt(${Z_SQUARED_OVER_N} * (n.won::float8 / n.settled) * (1 - n.won::float8 / n.settled)
      + power(${Z_SQUARED_OVER_N} / 2, 2))) / (1 + ${Z_SQUARED_OVER_N})) end`;

/** Returns the number of active creators, optionally of one kind. */
export async function countCreators(kind: Creator["kind"] | null = null): Promise<number> {
  const [row] = await queryPrepared<{ count: number }>(
    "count-creators",
    `select count(*) from creators
     where suspended_at is null and ($1::text is null or kind = $1)`,
    [kind],
  );
  return row?.count ?? 0;
}

function readKey(cursor?: string | null): Key | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor ?? "", "base64url").toString());
    return Array.isArray(key) &&
      key.length === 4 &&
      key.slice(0, 3).every((part) => typeof part === "number" && Math.abs(part) < 2 ** 31) &&
      Number.isInteger(key[0]) &&
      Number.isInteger(key[2]) &&
      typeof key[3] === "string"
      ? (key as Key)
      : null;
  } catch {
    return null;
  }
}

export const CREATOR_ORDERS = {
  name: ascending("lower(k.display_name)"),
  newest: descending("k.approved_at", "k.user_id"),
};
export type CreatorOrder = keyof typeof CREATOR_ORDERS;

/** Returns a page of all creators for an admin, including suspended ones, starting after the cursor. */
export async function listAllCreators({
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
  const query = createQueryParts();
  const { bind, addCondition, where, values } = query;
  const sortOrder = CREATOR_ORDERS[order];
  const words = fullTextQuery(search);
  if (words) addCondition(`to_tsvector('simple', k.display_name) @@ ${bind(words)}::tsquery`);
  if (kind) addCondition(`k.kind = ${bind(kind)}`);
  if (typeof isSuspended === "boolean")
    addCondition(`k.suspended_at is ${isSuspended ? "not null" : "null"}`);
  addCursor(query, sortOrder, cursor, { from: "creators k", idColumn: "k.user_id" });
  const { rows } = await pool().query<CreatorRow>(
    `select ${SUMMARY_COLUMNS}, k.specialization, k.bio, k.approved_at as "approvedAt",
       k.suspended_at as "suspendedAt"
     from creators k left join creator_records n on n.creator_id = k.user_id
     ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const { page, next } = toPage(rows.map(toCreator), limit, ({ id }) => id);
  return { creators: page, next };
}
