import { listPurchases } from "#payments/payments.server.ts";
import { listPayouts } from "#payouts/payouts.server.ts";

/** Maximum number of payouts and of purchases, the newest first, whose entries are found by their user. */
const MAX_IDS = 200;

/** Returns the subjects of the audit entries about these users: their ids, and those of their payouts and purchases. */
export async function listSubjectsOfUsers(userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const [{ payouts }, { purchases }] = await Promise.all([
    listPayouts({ creatorIds: userIds, limit: MAX_IDS }),
    listPurchases({ buyerIds: userIds, limit: MAX_IDS }),
  ]);
  return [...userIds, ...[...payouts, ...purchases].map(({ id }) => id)];
}
