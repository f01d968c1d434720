import { keysOf, readListSearch } from "#admin-kit/admin-kit.server.ts";
import { COIN_PACKS, GUEST_DEAL } from "#domain/coin-packs.ts";
import { listUsers } from "#identity/identity.server.ts";
import { type listPurchases, PURCHASE_ORDERS } from "../purchases.server.ts";

/** So many buyers that a search finds are looked at; whoever looks for more has to say more. */
const BUYERS = 200;

/** The packages sales are of, by the name they carry. */
export const PACKAGE_NAMES = [...COIN_PACKS, GUEST_DEAL].map((pack) => pack.title);

/** Which sales an address asks for, for the page and for the file alike. */
export async function parseSalesQuery(
  request: Request,
): Promise<NonNullable<Parameters<typeof listPurchases>[0]>> {
  const { text, oneOf, after } = readListSearch(request);
  const search = text("search");
  const isSession = search?.startsWith("cs_") ?? false;
  return {
    state: oneOf("state", ["refunded", "disputed"]),
    packageName: oneOf("package", PACKAGE_NAMES),
    sessionStart: isSession ? search : null,
    buyerIds:
      search && !isSession
        ? (await listUsers({ search, limit: BUYERS })).users.map((user) => user.id)
        : null,
    order: oneOf("order", keysOf(PURCHASE_ORDERS)) ?? undefined,
    cursor: after,
  };
}
