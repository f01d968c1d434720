import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { COIN_PACKS, type CoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, COMMISSION_CENTS, WELCOME_COINS } from "#domain/coins.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { groupThousands } from "#ui/group-thousands.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { readSalesSummary } from "../read-sales-summary.server.ts";
import type { Route } from "./+types/packages.page.ts";
import { marginOf } from "./margin.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Packages, Admin",
    description: "Revenue, commission and margin of each coin pack.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { packages } = await readSalesSummary();
  const sold = new Map(packages.map((each) => [each.packageName, each.purchases]));
  return { sold: [...COIN_PACKS, GUEST_DEAL].map((pack) => sold.get(pack.title) ?? 0) };
}

type Row = CoinPack & { sold: number };

/** What each package brings once all of its coins are spent, before the payment provider's fee. */
export default function Packages({ loaderData }: Route.ComponentProps) {
  const rows: Row[] = [...COIN_PACKS, GUEST_DEAL].map((pack, index) => ({
    ...pack,
    sold: loaderData.sold[index] ?? 0,
  }));
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/sales" alone className="text-sm">
          All sales
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead={`Every ${CARD_PRICE_COINS} coins open a card, and each card opened pays its creator R${COMMISSION_CENTS / 100}. The margin is what stays once all coins are spent, before the payment provider's fee.`}
        >
          Packages and margin
        </SectionHeading>
      </div>
      <Table caption="Packages" columns={columns} rows={rows} rowKey={(pack) => pack.id} />
      <p className="max-w-prose text-sm text-ink-2">
        The guest deal opens two cards for the price of one: the {WELCOME_COINS} welcome coins carry
        a commission that nobody has paid for. It is given once per address and payment card.
      </p>
    </div>
  );
}

const columns: readonly TableColumn<Row>[] = [
  { key: "pack", header: "Package", lead: true, cell: (pack) => pack.title },
  {
    key: "coins",
    header: "Coins",
    align: "right",
    cell: (pack) => <CoinAmount amountCoins={marginOf(pack).coins} word={false} />,
  },
  {
    key: "price",
    header: "Price",
    align: "right",
    cell: (pack) => <RandAmount amountCents={pack.priceCents} cents />,
  },
  { key: "cards", header: "Cards", align: "right", cell: (pack) => marginOf(pack).cards },
  {
    key: "commission",
    header: "Commission",
    align: "right",
    cell: (pack) => <RandAmount amountCents={marginOf(pack).commissionCents} cents />,
  },
  {
    key: "margin",
    header: "Margin",
    align: "right",
    cell: (pack) => {
      const { marginCents, marginPercent } = marginOf(pack);
      return (
        <span className={marginCents < 0 ? "text-danger-ink" : undefined}>
          <RandAmount amountCents={marginCents} cents />{" "}
          <span className="text-xs text-ink-2">{marginPercent} %</span>
        </span>
      );
    },
  },
  { key: "sold", header: "Sold", align: "right", cell: (pack) => groupThousands(pack.sold) },
];
