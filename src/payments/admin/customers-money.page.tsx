import { Download } from "lucide-react";
import { readUsers } from "#accounts/accounts.server.ts";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  listOwingCustomers,
  readClosedAccountsMoney,
  readCustomersMoney,
} from "../unspent-coins/customers-money.server.ts";
import type { Route } from "./+types/customers-money.page.ts";

const MAX_OWING = 50;

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Customers' money, Admin",
    description: "What customers paid for coins that they have not spent.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const [money, closed, owing] = await Promise.all([
    readCustomersMoney(),
    readClosedAccountsMoney(),
    listOwingCustomers(MAX_OWING),
  ]);
  const users = await readUsers(owing.map(({ userId }) => userId));
  return {
    ...money,
    closed,
    owing: owing.map((customer) => ({
      ...customer,
      name: users.get(customer.userId)?.name ?? "",
    })),
  };
}

type PageData = Route.ComponentProps["loaderData"];

/** What customers paid for coins that they have not spent, by age, with what closed accounts are due and who owes coins. */
export default function CustomersMoney({ loaderData }: Route.ComponentProps) {
  const { summedAt, ages, closed, owing } = loaderData;
  const totalCents = ages.reduce((total, { amountCents }) => total + amountCents, 0);
  const totalCoins = ages.reduce((total, { coins }) => total + coins, 0);
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/purchases" standalone className="text-sm">
          All purchases
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead="Coins that were bought and not spent, at the price that was paid for them. This money belongs to the customers until the coins are spent. Welcome coins and granted coins don't count."
          aside={
            <a
              href="/admin/purchases/customers-money.csv"
              className={buttonClasses("secondary", "small")}
              download
            >
              <Download aria-hidden="true" />
              CSV by customer
            </a>
          }
        >
          Customers' money
        </SectionHeading>
      </div>
      <StatRow
        stats={[
          {
            label: "Unspent coins, at their price",
            value: <RandAmount amountCents={totalCents} areCentsShown size="large" />,
            note: (
              <>
                {formatInteger(totalCoins)} coins, as of <DateTime at={summedAt} />
              </>
            ),
          },
          {
            label: "Closed accounts, by claim code",
            value: <RandAmount amountCents={closed.failed.cents} areCentsShown size="large" />,
            note: `${closed.failed.count} refunds that failed`,
          },
          {
            label: "Closed accounts, being refunded",
            value: <RandAmount amountCents={closed.requested.cents} areCentsShown size="large" />,
            note: `${closed.requested.count} refunds`,
          },
        ]}
      />
      <Panel title="By age of the purchase">
        <Table
          caption="Unspent coins by age of the purchase"
          columns={AGE_COLUMNS}
          rows={ages}
          rowKey={({ maxAgeDays }) => String(maxAgeDays)}
        />
        <p className="mt-3 max-w-prose text-sm text-ink-2">
          Coins of the last seven days can be taken back by the buyer. Coins don't lapse: the
          Consumer Protection Act forbids it for three years.
        </p>
      </Panel>
      <Panel title="Customers who owe coins">
        <Table
          caption="Customers who owe coins"
          columns={OWING_COLUMNS}
          rows={owing}
          rowKey={({ userId }) => userId}
          empty={
            <EmptyState compact drawing="ledger" title="Nobody owes coins">
              A refund or a lost dispute of coins that are spent leaves a debt.
            </EmptyState>
          }
        />
      </Panel>
    </div>
  );
}

const AGE_LABELS: Record<string, string> = {
  7: "Up to 7 days",
  30: "8 to 30 days",
  365: "31 days to a year",
  1095: "One to three years",
  null: "Older",
};

const AGE_COLUMNS: readonly TableColumn<PageData["ages"][number]>[] = [
  {
    key: "age",
    header: "Age",
    isRowHeader: true,
    cell: ({ maxAgeDays }) => AGE_LABELS[String(maxAgeDays)],
  },
  {
    key: "purchases",
    header: "Purchases",
    align: "right",
    cell: ({ purchases }) => formatInteger(purchases),
  },
  {
    key: "coins",
    header: "Coins",
    align: "right",
    cell: ({ coins }) => formatInteger(coins),
  },
  {
    key: "amount",
    header: "Paid for them",
    align: "right",
    cell: ({ amountCents }) => <RandAmount amountCents={amountCents} areCentsShown />,
  },
];

const OWING_COLUMNS: readonly TableColumn<PageData["owing"][number]>[] = [
  {
    key: "name",
    header: "Customer",
    isRowHeader: true,
    cell: ({ userId, name }) => (
      <TextLink to={`/admin/users/${userId}`} standalone>
        {name}
      </TextLink>
    ),
  },
  {
    key: "coins",
    header: "Owes",
    align: "right",
    cell: ({ coins }) => <CoinAmount amountCoins={coins} />,
  },
];
