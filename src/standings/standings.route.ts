import { createCachedJson } from "#platform/http/cached-json.server.ts";
import { readStandings } from "./read-standings.server.ts";

const LIMIT = 50;

/** GET /api/leaderboard: the first fifty creators by sales score. */
export const standingsJson = createCachedJson({
  invalidatedBy: ["standings", "race-cards"],
  cacheControl: "public, max-age=0, must-revalidate",
  async read() {
    const standings = await readStandings(LIMIT);
    return {
      leaderboard: standings.map((standing) => ({
        rank: standing.rank,
        id: standing.creatorId,
        slug: standing.slug,
        name: standing.displayName,
        profile_image: standing.photo,
        total_tips: standing.tips,
        settled_tips: standing.settled,
        won_tips: standing.won,
        has_one_person_results: standing.hasOnePersonResults,
        total_sales: standing.sales,
        total_earnings: standing.coinsEarned,
        win_rate: standing.winRate,
        score: standing.score,
      })),
    };
  },
});
