import { prepared } from "#platform/database.server.ts";
import {
  type CreatorSummary,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryOf,
} from "./creator.server.ts";

/** The heads of these creators by id, for a list that knows them by id only; suspended ones are marked. */
export async function readCreatorSummaries(
  creatorIds: readonly string[],
): Promise<Map<string, CreatorSummary & { isSuspended: boolean }>> {
  if (creatorIds.length === 0) return new Map();
  const rows = await prepared<SummaryRow & { isSuspended: boolean }>(
    "creator-heads",
    `select ${SUMMARY_COLUMNS}, k.suspended_at is not null as "isSuspended"
    from creators k left join creator_records n on n.creator_id = k.user_id
    where k.user_id = any($1::uuid[])`,
    [creatorIds],
  );
  return new Map(
    rows.map((row) => [row.creatorId, { ...summaryOf(row), isSuspended: row.isSuspended }]),
  );
}
