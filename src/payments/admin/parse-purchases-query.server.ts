import { listUsers } from "#accounts/accounts.server.ts";
import { listKeys, readListParams } from "#admin-kit/admin-kit.server.ts";
import { COIN_PACKS, GUEST_DEAL } from "#domain/coin-packs.ts";
import { isSessionIdPrefix } from "../gateways.server.ts";
import { type listPurchases, PURCHASE_ORDERS, RETURN_CONDITIONS } from "../purchases.server.ts";

/** Maximum number of buyers whose purchases a search includes. */
const MAX_BUYERS = 200;

/** Titles of all coin packs, as stored with purchases. */
export const COIN_PACK_TITLES = [...COIN_PACKS, GUEST_DEAL].map((pack) => pack.title);

/** Parses the filters of the purchase list from the URL, for the page and the CSV file. */
export async function parsePurchasesQuery(
  request: Request,
): Promise<NonNullable<Parameters<typeof listPurchases>[0]>> {
  const { readText, readChoice, readDate, cursor } = readListParams(request);
  const search = readText("search");
  const isSessionId = search ? isSessionIdPrefix(search) : false;
  return {
    returned: readChoice("state", listKeys(RETURN_CONDITIONS)),
    coinPackTitle: readChoice("coinPack", COIN_PACK_TITLES),
    from: readDate("from"),
    to: readDate("to"),
    sessionPrefix: isSessionId ? search : null,
    buyerIds:
      search && !isSessionId
        ? (await listUsers({ search, limit: MAX_BUYERS })).users.map((user) => user.id)
        : null,
    order: readChoice("order", listKeys(PURCHASE_ORDERS)) ?? undefined,
    cursor,
  };
}
