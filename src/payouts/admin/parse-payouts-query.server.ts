import { listKeys, readListParams } from "#admin-kit/admin-kit.server.ts";
import { listAllCreators } from "#creators/creators.server.ts";
import { type listPayouts, PAYOUT_ORDERS } from "../list-payouts.server.ts";

/** Maximum number of tipsters whose payouts a search includes. */
const MAX_TIPSTERS = 200;

/** Parses the filters of the payout list from the URL. */
export async function parsePayoutsQuery(
  request: Request,
): Promise<NonNullable<Parameters<typeof listPayouts>[0]>> {
  const { readText, readChoice, cursor } = readListParams(request);
  const search = readText("search");
  const matches = search ? await listAllCreators({ search, limit: MAX_TIPSTERS }) : null;
  return {
    creatorIds: matches ? matches.creators.map((creator) => creator.id) : null,
    order: readChoice("order", listKeys(PAYOUT_ORDERS)) ?? undefined,
    cursor,
  };
}
