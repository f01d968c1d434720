import { eq } from "drizzle-orm";
import {
  type CreatorSummary,
  readCreatorSummaries,
  readTipCounts,
} from "#creators/creators.server.ts";
import { computeSalesScore } from "#domain/track-record.ts";
import { database } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { ALL_TIME } from "./roll-up-standings.server.ts";
import { standings } from "./tables.server.ts";

/** A creator's rank by sales score, with their sales and track record. */
export type Standing = {
  rank: number;
  creatorId: string;
  slug: string;
  displayName: string;
  photo: string | null;
  kind: CreatorSummary["kind"];
  tips: number;
  sales: number;
  coinsEarned: number;
  settled: number;
  won: number;
  hasOnePersonResults: boolean;
  winRate: number | null;
  score: number;
};

/** The maximum `limit` of a caller. */
const MAX_RANKS = 50;
/** Changes without a notification, such as a suspension, are visible after this time at the latest. */
const MAX_CACHE_AGE_MS = 30_000;

const readCached = cachedReads<Standing[]>({
  invalidatedBy: ["standings", "race-cards"],
  ttlMs: MAX_CACHE_AGE_MS,
  max: 1,
});

/**
 * Returns the creators with the highest sales scores, at most fifty. The cost does not depend on
 * the number of sales: the roll-up maintains the sums, and this process caches the standings until they
 * change.
 */
export async function readStandings(limit = 5): Promise<Standing[]> {
  return (await readCached("all", computeStandings)).slice(0, limit);
}

async function computeStandings(): Promise<Standing[]> {
  const [creators, sums] = await Promise.all([
    readTipCounts(),
    database().select().from(standings).where(eq(standings.month, ALL_TIME)),
  ]);
  const sumsByCreator = new Map(sums.map((sum) => [sum.creatorId, sum]));
  const topCreators = creators
    .map(({ id, slug, tips }) => {
      const { sales = 0, coinsEarned = 0 } = sumsByCreator.get(id) ?? {};
      return {
        id,
        slug,
        sales,
        coinsEarned,
        score: computeSalesScore({ sales, coinsEarned, tips }),
      };
    })
    .sort((a, b) => b.score - a.score || a.slug.localeCompare(b.slug))
    .slice(0, MAX_RANKS);
  const summaries = await readCreatorSummaries(topCreators.map(({ id }) => id));
  return topCreators.flatMap(({ id, ...totals }, index) => {
    const summary = summaries.get(id);
    return summary ? [toStanding(summary, { rank: index + 1, ...totals })] : [];
  });
}

function toStanding(
  { id, name, photo, kind, record, hasOnePersonResults, winRate }: CreatorSummary,
  totals: Pick<Standing, "rank" | "slug" | "sales" | "coinsEarned" | "score">,
): Standing {
  return {
    creatorId: id,
    displayName: name,
    photo,
    kind,
    ...record,
    hasOnePersonResults,
    winRate,
    ...totals,
  };
}
