import { type Creator, findCreator } from "#creators/creators.server.ts";
import { TIP_TYPES, type TipType } from "#domain/tip.ts";
import { computeWinRate } from "#domain/track-record.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { ALL_VENUES, createStaleTalliesSql } from "./tallies.server.ts";

/** The settled tips of one type. A win tip wins by finishing first; place and each-way tips by being placed. */
export type TipTypeRecord = {
  tipType: TipType;
  settled: number;
  won: number;
  winRate: number | null;
};

export type CreatorProfile = Creator & {
  byType: TipTypeRecord[];
};

/** Returns a creator, suspended or not, with their record; null for an unknown one. */
export async function readCreatorProfile(slug: string): Promise<CreatorProfile | null> {
  const creator = await findCreator(slug);
  if (!creator) return null;
  return { ...creator, byType: await readRecordByType(creator.id) };
}

/** Returns a creator's settled tips by tip type. Every type is present; their sum is the record. */
async function readRecordByType(creatorId: string): Promise<TipTypeRecord[]> {
  const rows = await queryPrepared<{ tipType: TipType; settled: number; won: number }>(
    "record-by-type",
    `select y.tip_type as "tipType", y.settled, y.won from creator_tallies y
    join creator_records n on n.creator_id = y.creator_id and n.is_tallied
    where y.creator_id = $1 and y.venue_id = '${ALL_VENUES}' and y.tip_type <> ''
    union all
    select y.tip_type, y.settled, y.won from (${createStaleTalliesSql("n.creator_id = $1")}) y
    where y.venue_id = '${ALL_VENUES}' and y.tip_type <> ''`,
    [creatorId],
  );
  return TIP_TYPES.map((tipType) => {
    const { settled = 0, won = 0 } = rows.find((row) => row.tipType === tipType) ?? {};
    return { tipType, settled, won, winRate: computeWinRate({ settled, won }) };
  });
}
