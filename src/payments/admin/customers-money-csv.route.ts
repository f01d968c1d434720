import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { dateAt } from "#domain/calendar.ts";
import { now } from "#platform/clock.server.ts";
import { createCsvResponse } from "#platform/http/csv-download.server.ts";
import { listCustomersMoney } from "../unspent-coins/customers-money.server.ts";
import type { Route } from "./+types/customers-money-csv.route.ts";

const PAGE_SIZE = 500;
const HEADINGS = ["E-mail", "Name", "Bought on", "Unspent coins", "Due (R)", "How", "Purchase"];

/** Returns what would be due to every customer if Furlong closed now, a line for each purchase, as a CSV file. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  return createCsvResponse(`furlong-customers-money-${dateAt(now())}`, HEADINGS, readPages());
}

async function* readPages(): AsyncGenerator<(string | number)[][]> {
  let afterUserId: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listCustomersMoney>> = await listCustomersMoney({
      afterUserId,
      limit: PAGE_SIZE,
    });
    const users = await readUsers([...new Set(page.money.map(({ userId }) => userId))]);
    yield page.money.map(({ userId, purchaseId, boughtAt, coins, amountCents, isRefundable }) => [
      users.get(userId)?.email ?? "",
      users.get(userId)?.name ?? "",
      dateAt(boughtAt),
      coins,
      (amountCents / 100).toFixed(2),
      isRefundable ? "refund of the payment" : "claim code",
      purchaseId,
    ]);
    afterUserId = page.lastUserId;
  } while (afterUserId !== null);
}
