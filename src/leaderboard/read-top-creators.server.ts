import { eq } from "drizzle-orm";
import { salesScore } from "#domain/record.ts";
import { database } from "#platform/database.server.ts";
import { keptReads } from "#platform/kept-reads.server.ts";
import { type CreatorHead, listCreators } from "#tipping/tipping.server.ts";
import { ALL_TIME } from "./roll-up-standings.server.ts";
import { standings } from "./tables.server.ts";

/** A creator's place on the sales board: what they sold, and the record beside it. */
export type Standing = {
  rank: number;
  creatorId: string;
  slug: string;
  displayName: string;
  profileImage: string | null;
  kind: CreatorHead["kind"];
  tips: number;
  sales: number;
  coinsEarned: number;
  settled: number;
  won: number;
  winRate: number | null;
  score: number;
};

const MAX_CREATORS = 5_000;
/** What no notice tells of (a suspension, say) shows after so long at the latest. */
const KEEP_MS = 30_000;

const kept = keptReads<Standing[]>({
  until: ["leaderboard", "race-cards"],
  forMs: KEEP_MS,
  max: 1,
});

/**
 * The creators by sales score, best first. Reading it costs the same however much was sold: the sums
 * are kept by the roll-up, and the ranking in this process until there is news.
 */
export async function readTopCreators(limit = 5): Promise<Standing[]> {
  return (await kept("all", rank)).slice(0, limit);
}

async function rank(): Promise<Standing[]> {
  const [{ creators }, sums] = await Promise.all([
    listCreators({ limit: MAX_CREATORS }),
    database().select().from(standings).where(eq(standings.month, ALL_TIME)),
  ]);
  const bySeller = new Map(sums.map((sum) => [sum.creatorId, sum]));
  return creators
    .map((creator) => {
      const sum = bySeller.get(creator.id);
      const { tips, settled, won } = creator.record;
      const sales = sum?.sales ?? 0;
      const coinsEarned = sum?.coinsEarned ?? 0;
      return {
        rank: 0,
        creatorId: creator.id,
        slug: creator.slug,
        displayName: creator.name,
        profileImage: creator.profileImage,
        kind: creator.kind,
        tips,
        sales,
        coinsEarned,
        settled,
        won,
        winRate: creator.winRate,
        score: salesScore({ sales, coinsEarned, tips }),
      };
    })
    .sort((one, other) => other.score - one.score || one.slug.localeCompare(other.slug))
    .map((standing, index) => ({ ...standing, rank: index + 1 }));
}
