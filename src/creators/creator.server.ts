import { eq } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import {
  computeLevel,
  computeWinRate,
  type Level,
  type TrackRecord,
} from "#domain/track-record.ts";
import { database, queryPrepared, type Tx } from "#platform/database.server.ts";
import { creatorRecords, creators } from "./tables.server.ts";

/** A creator as shown to everyone, with the current track record. */
export type CreatorSummary = {
  id: string;
  slug: string;
  name: string;
  kind: "tipster" | "analyst";
  photo: string | null;
  record: TrackRecord;
  /** True if the record includes results entered by one person, without a second person's confirmation. */
  hasOnePersonResults: boolean;
  /** In per cent; null before the first settled tip. */
  winRate: number | null;
  /** Null before 20 settled tips. */
  level: Level | null;
};

/** A creator as shown to themselves and to admins. */
export type Creator = CreatorSummary & {
  specialization: string;
  bio: string;
  approvedAt: Date;
  suspendedAt: Date | null;
};

/** Columns of a creator summary, for a query that joins creators and their records. */
export const SUMMARY_COLUMNS = `
  k.user_id as "creatorId", k.slug as "creatorSlug", k.display_name as "creatorName",
  k.kind as "creatorKind", k.profile_image as "photo",
  coalesce(n.tips, 0) as "tipCount", coalesce(n.settled, 0) as "settledCount",
  coalesce(n.won, 0) as "wonCount",
  coalesce(n.has_one_person_results, false) as "hasOnePersonResults"`;

export type SummaryRow = {
  creatorId: string;
  creatorSlug: string;
  creatorName: string;
  creatorKind: CreatorSummary["kind"];
  photo: string | null;
  tipCount: number;
  settledCount: number;
  wonCount: number;
  hasOnePersonResults: boolean;
};

export function toCreatorSummary(row: SummaryRow): CreatorSummary {
  const record = { tips: row.tipCount, settled: row.settledCount, won: row.wonCount };
  return {
    id: row.creatorId,
    slug: row.creatorSlug,
    name: row.creatorName,
    kind: row.creatorKind,
    photo: row.photo,
    record,
    hasOnePersonResults: row.hasOnePersonResults,
    winRate: computeWinRate(record),
    level: computeLevel(record),
  };
}

/** Columns of a creator for the query builder. */
export const creatorColumns = {
  creatorId: creators.userId,
  creatorSlug: creators.slug,
  creatorName: creators.displayName,
  creatorKind: creators.kind,
  photo: creators.photo,
  tipCount: creatorRecords.tips,
  settledCount: creatorRecords.settled,
  wonCount: creatorRecords.won,
  hasOnePersonResults: creatorRecords.hasOnePersonResults,
  specialization: creators.specialization,
  bio: creators.bio,
  approvedAt: creators.approvedAt,
  suspendedAt: creators.suspendedAt,
};

export function toCreator(
  row: SummaryRow & Pick<Creator, "specialization" | "bio" | "approvedAt" | "suspendedAt">,
): Creator {
  const { specialization, bio, approvedAt, suspendedAt } = row;
  return { ...toCreatorSummary(row), specialization, bio, approvedAt, suspendedAt };
}

/** Returns the creator with this user id or slug, suspended or not, or null. */
export async function findCreator(idOrSlug: string, tx?: Tx): Promise<Creator | null> {
  const [row] = await (tx ?? database())
    .select(creatorColumns)
    .from(creators)
    .innerJoin(creatorRecords, eq(creatorRecords.creatorId, creators.userId))
    .where(isId(idOrSlug) ? eq(creators.userId, idOrSlug) : eq(creators.slug, idOrSlug));
  return row ? toCreator(row) : null;
}

/** Returns creator summaries by id, with whether each is suspended. */
export async function readCreatorSummaries(
  creatorIds: readonly string[],
): Promise<Map<string, CreatorSummary & { isSuspended: boolean }>> {
  if (creatorIds.length === 0) return new Map();
  const rows = await queryPrepared<SummaryRow & { isSuspended: boolean }>(
    "creator-heads",
    `select ${SUMMARY_COLUMNS}, k.suspended_at is not null as "isSuspended"
    from creators k left join creator_records n on n.creator_id = k.user_id
    where k.user_id = any($1::uuid[])`,
    [creatorIds],
  );
  return new Map(
    rows.map((row) => [row.creatorId, { ...toCreatorSummary(row), isSuspended: row.isSuspended }]),
  );
}

/** Returns every creator who is not suspended, with the number of tips in their record. */
export async function readTipCounts(): Promise<{ id: string; slug: string; tips: number }[]> {
  return await queryPrepared<{ id: string; slug: string; tips: number }>(
    "tip-counts",
    `select k.user_id as id, k.slug, n.tips
     from creators k join creator_records n on n.creator_id = k.user_id
     where k.suspended_at is null`,
    [],
  );
}
