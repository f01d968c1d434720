import { listKeys, readListParams } from "#admin-kit/admin-kit.server.ts";
import { COIN_PACKS, GUEST_DEAL } from "#domain/coin-packs.ts";
import { listUsers } from "#identity/identity.server.ts";
import { type listPurchases, PURCHASE_ORDERS } from "../purchases.server.ts";

/** Maximum number of buyers whose purchases a search includes. */
const MAX_BUYERS = 200;

/** Names of all packages, as stored with purchases. */
export const PACKAGE_NAMES = [...COIN_PACKS, GUEST_DEAL].map((pack) => pack.title);

/** Parses the filters of the purchase list from the URL, for the page and the CSV file. */
export async function parsePurchasesQuery(
  request: Request,
): Promise<NonNullable<Parameters<typeof listPurchases>[0]>> {
  const { text, oneOf, after } = readListParams(request);
  const search = text("search");
  const isSessionId = search?.startsWith("cs_") ?? false;
  return {
    state: oneOf("state", ["refunded", "disputed"]),
    packageName: oneOf("package", PACKAGE_NAMES),
    sessionPrefix: isSessionId ? search : null,
    buyerIds:
      search && !isSessionId
        ? (await listUsers({ search, limit: MAX_BUYERS })).users.map((user) => user.id)
        : null,
    order: oneOf("order", listKeys(PURCHASE_ORDERS)) ?? undefined,
    cursor: after,
  };
}
