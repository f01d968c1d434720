import type { Figures } from "#domain/figures/figures.ts";
import { queryPrepared } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";

/** The stored figures of a creator. */
export type CreatorFigures = {
  /** They include all changes up to a few seconds before this instant. */
  computedAt: Date;
  /** The officially settled tips that do not count. */
  voidTips: number;
  lateTips: number;
  figures: Figures;
};

/** Returns the figures of a creator, or null before the first official settlement of one of their tips. */
export async function readFigures(creatorId: string): Promise<CreatorFigures | null> {
  const rows = await queryPrepared<CreatorFigures>(
    "creator-figures",
    `select computed_at as "computedAt", void_tips as "voidTips", late_tips as "lateTips", figures
     from creator_figures where creator_id = $1`,
    [creatorId],
  );
  return rows[0] ?? null;
}

/**
 * Returns the number of a creator's counted tips that are in no figure, because an admin entered the result for a single
 * tip. Reads all settled tips of the creator.
 */
export async function countSingleTipResults(creatorId: string): Promise<number> {
  const rows = await queryPrepared<{ tips: number }>(
    "single-tip-results",
    `select count(*)::integer as tips from settled_tips s
     where s.creator_id = $1 and s.outcome is null and s.result in ('won', 'lost') and not s.is_late`,
    [creatorId],
  );
  return rows[0]?.tips ?? 0;
}

const MAX_CACHE_AGE_MS = 60_000;
const readCached = cachedReads<number>({
  invalidatedBy: [],
  ttlMs: MAX_CACHE_AGE_MS,
  max: 1,
});

/**
 * Returns the number of creators with a counted tip, suspended ones included: among so many, some have good
 * figures by luck alone. Cached for a minute.
 */
export async function countRecordedCreators(): Promise<number> {
  return await readCached("all", async () => {
    const rows = await queryPrepared<{ creators: number }>(
      "recorded-creators",
      "select count(*)::integer as creators from creator_figures where settled > 0",
      [],
    );
    return rows[0]?.creators ?? 0;
  });
}
