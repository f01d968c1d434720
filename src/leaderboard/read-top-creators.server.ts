import { eq } from "drizzle-orm";
import { type CreatorSummary, readCreatorSummaries } from "#creators/creators.server.ts";
import { salesScore } from "#domain/track-record.ts";
import { database } from "#platform/database.server.ts";
import { cachedReads } from "#platform/read-cache.server.ts";
import { readTipCounts } from "#tips/tips.server.ts";
import { ALL_TIME } from "./roll-up-standings.server.ts";
import { standings } from "./tables.server.ts";

/** A creator's place on the sales board: what they sold, and the record beside it. */
export type Standing = {
  rank: number;
  creatorId: string;
  slug: string;
  displayName: string;
  profileImage: string | null;
  kind: CreatorSummary["kind"];
  tips: number;
  sales: number;
  coinsEarned: number;
  settled: number;
  won: number;
  winRate: number | null;
  score: number;
};

/** So many places there are, at the most that anybody asks for. */
const PLACES = 50;
/** What no notice tells of (a suspension, say) shows after so long at the latest. */
const KEEP_MS = 30_000;

const kept = cachedReads<Standing[]>({
  until: ["leaderboard", "race-cards"],
  forMs: KEEP_MS,
  max: 1,
});

/**
 * The creators by sales score, the best fifty first. Reading it costs the same however much was sold: the
 * sums are kept by the roll-up, and the ranking in this process until there is news.
 */
export async function readTopCreators(limit = 5): Promise<Standing[]> {
  return (await kept("all", rank)).slice(0, limit);
}

async function rank(): Promise<Standing[]> {
  const [everybody, sums] = await Promise.all([
    readTipCounts(),
    database().select().from(standings).where(eq(standings.month, ALL_TIME)),
  ]);
  const bySeller = new Map(sums.map((sum) => [sum.creatorId, sum]));
  const best = everybody
    .map(({ id, slug, tips }) => {
      const { sales = 0, coinsEarned = 0 } = bySeller.get(id) ?? {};
      return { id, slug, sales, coinsEarned, score: salesScore({ sales, coinsEarned, tips }) };
    })
    .sort((one, other) => other.score - one.score || one.slug.localeCompare(other.slug))
    .slice(0, PLACES);
  const heads = await readCreatorSummaries(best.map(({ id }) => id));
  return best.flatMap(({ id, ...sold }, index) => {
    const head = heads.get(id);
    return head ? [standingOf(head, { rank: index + 1, ...sold })] : [];
  });
}

function standingOf(
  { id, name, profileImage, kind, record, winRate }: CreatorSummary,
  sold: Pick<Standing, "rank" | "slug" | "sales" | "coinsEarned" | "score">,
): Standing {
  return { creatorId: id, displayName: name, profileImage, kind, ...record, winRate, ...sold };
}
