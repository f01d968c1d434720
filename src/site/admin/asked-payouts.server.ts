import { type listPayouts, PAYOUT_ORDERS } from "#race-cards/race-cards.server.ts";
import { listEveryCreator } from "#tipping/tipping.server.ts";
import { keysOf, readListSearch } from "./read-list-search.server.ts";

/** So many tipsters that a search finds are looked at. */
const TIPSTERS = 200;

/** Which payouts an address asks for. */
export async function askedPayouts(
  request: Request,
): Promise<NonNullable<Parameters<typeof listPayouts>[0]>> {
  const { text, oneOf, after } = readListSearch(request);
  const search = text("search");
  const found = search ? await listEveryCreator({ search, limit: TIPSTERS }) : null;
  return {
    creatorIds: found ? found.creators.map((creator) => creator.id) : null,
    order: oneOf("order", keysOf(PAYOUT_ORDERS)) ?? undefined,
    cursor: after,
  };
}
