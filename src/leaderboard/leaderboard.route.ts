import { createCachedJson } from "#platform/http/cached-json.server.ts";
import { readTopCreators } from "./read-top-creators.server.ts";

const LIMIT = 50;

/** GET /api/leaderboard: the first fifty creators by sales score. */
export const leaderboard = createCachedJson({
  clearedBy: ["leaderboard", "race-cards"],
  cacheControl: "public, max-age=0, must-revalidate",
  async read() {
    const creators = await readTopCreators(LIMIT);
    const value = {
      leaderboard: creators.map((creator) => ({
        rank: creator.rank,
        id: creator.creatorId,
        slug: creator.slug,
        name: creator.displayName,
        profile_image: creator.profileImage,
        total_tips: creator.tips,
        settled_tips: creator.settled,
        won_tips: creator.won,
        total_sales: creator.sales,
        total_earnings: creator.coinsEarned,
        win_rate: creator.winRate,
        score: creator.score,
      })),
    };
    return { value };
  },
});
