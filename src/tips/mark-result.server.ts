import { type Mark, type MarkResultsAnswer, markResults } from "./mark-results.server.ts";

/** Settles one tip of a creator as won or lost: the W or the L that was clicked. */
export async function markResult(creatorId: string, mark: Mark): Promise<MarkResultsAnswer> {
  return await markResults(creatorId, [mark]);
}
