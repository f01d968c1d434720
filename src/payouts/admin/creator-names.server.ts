import { readCreatorSummaries } from "#creators/creators.server.ts";

/** Adds the name of its creator to each payout; empty if the creator does not exist. */
export async function addCreatorNames<Payout extends { creatorId: string }>(
  payouts: readonly Payout[],
): Promise<(Payout & { creatorName: string })[]> {
  const creators = await readCreatorSummaries(payouts.map((payout) => payout.creatorId));
  return payouts.map((payout) => ({
    ...payout,
    creatorName: creators.get(payout.creatorId)?.name ?? "",
  }));
}
