import { readAccount } from "#accounts/accounts.server.ts";
import { findCreator } from "#creators/creators.server.ts";
import { isId } from "#domain/id.ts";
import { readBankDetails, readEarningsSummary } from "#payouts/payouts.server.ts";
import { now } from "#platform/clock.server.ts";
import { countOpened } from "#sales/sales.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { readUserHistory } from "./read-user-history.server.ts";

/** Reads the data of a user's admin page, with the page of the history before `before`. Returns null for an unknown id. */
export async function readUser(userId: string, before: Date | null) {
  if (!isId(userId)) return null;
  const account = await readAccount(userId, now());
  if (!account) return null;
  const [wallet, openedCounts, history, creator] = await Promise.all([
    readWallet(userId),
    countOpened(userId),
    readUserHistory(account, before),
    findCreator(userId),
  ]);
  return {
    account,
    wallet,
    opened: openedCounts,
    history,
    creator: creator
      ? {
          ...creator,
          earnings: await readEarningsSummary(userId),
          bankDetails: await readBankDetails(userId),
        }
      : null,
  };
}

export type UserDetails = NonNullable<Awaited<ReturnType<typeof readUser>>>;
