import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { COIN_PACKS, type CoinPack, GUEST_DEAL, raceCardCents } from "#domain/coin-packs.ts";
import {
  CARD_PRICE_COINS,
  CREATOR_EARNING_CENTS,
  formatCoins,
  formatRand,
  WELCOME_COINS,
} from "#domain/coins.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { readPurchaseSummary } from "../purchase-summary.server.ts";
import type { Route } from "./+types/coin-packs.page.ts";
import { calculateMargin, findDearerPacks } from "./margin.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Coin packs, Admin",
    description: "Revenue, commission and margin of each coin pack.",
    isPrivate: true,
  });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const { coinPacks } = await readPurchaseSummary();
  const purchasesByTitle = new Map(
    coinPacks.map(({ coinPackTitle, purchases }) => [coinPackTitle, purchases]),
  );
  return {
    purchases: [...COIN_PACKS, GUEST_DEAL].map((pack) => purchasesByTitle.get(pack.title) ?? 0),
  };
}

type CoinPackRow = CoinPack & { purchases: number };

/** Shows the margin of each coin pack when all its coins are spent, before the payment provider's fee. */
export default function CoinPacks({ loaderData }: Route.ComponentProps) {
  const rows: CoinPackRow[] = [...COIN_PACKS, GUEST_DEAL].map((pack, index) => ({
    ...pack,
    purchases: loaderData.purchases[index] ?? 0,
  }));
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/purchases" standalone className="text-sm">
          All purchases
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead={`Every ${formatCoins(CARD_PRICE_COINS)} open one race card, and each opened race card pays its tipster ${formatRand(CREATOR_EARNING_CENTS)}. Margin is what is left once all coins are spent, before payment fees.`}
        >
          Coin packs and margin
        </SectionHeading>
      </div>
      {dearerPacks.length > 0 ? (
        <FormMessage
          type="warning"
          title="Some larger coin packs cost more a race card than a smaller one"
        >
          <ul className="grid gap-0.5">
            {dearerPacks.map(({ pack, cheaper, sensibleCents }) => (
              <li key={pack.id}>
                {formatCoins(pack.amountCoins)} cost {formatCardPrice(pack)} a card,{" "}
                {formatCoins(cheaper.amountCoins)} cost {formatCardPrice(cheaper)}:{" "}
                {formatRand(sensibleCents)} or less would make sense, not{" "}
                {formatRand(pack.priceCents)}.
              </li>
            ))}
          </ul>
        </FormMessage>
      ) : null}
      <Table caption="Coin packs" columns={columns} rows={rows} rowKey={(pack) => pack.id} />
      <p className="max-w-prose text-sm text-ink-2">
        The guest deal gives two race cards for the price of one: we pay the commission on the{" "}
        {WELCOME_COINS} welcome coins. One per email address and payment card.
      </p>
    </div>
  );
}

const dearerPacks = findDearerPacks(COIN_PACKS);

const formatCardPrice = (pack: CoinPack) => formatRand(Math.round(raceCardCents(pack)));

const columns: readonly TableColumn<CoinPackRow>[] = [
  { key: "pack", header: "Coin pack", isRowHeader: true, cell: (pack) => pack.title },
  {
    key: "coins",
    header: "Coins",
    align: "right",
    cell: (pack) => <CoinAmount amountCoins={calculateMargin(pack).coins} isUnitVisible={false} />,
  },
  {
    key: "price",
    header: "Price",
    align: "right",
    cell: (pack) => <RandAmount amountCents={pack.priceCents} areCentsShown />,
  },
  {
    key: "card-price",
    header: "A card",
    align: "right",
    cell: (pack) => <RandAmount amountCents={Math.round(raceCardCents(pack))} areCentsShown />,
  },
  {
    key: "cards",
    header: "Cards",
    align: "right",
    cell: (pack) => calculateMargin(pack).raceCards,
  },
  {
    key: "commission",
    header: "Commission",
    align: "right",
    cell: (pack) => <RandAmount amountCents={calculateMargin(pack).earningCents} areCentsShown />,
  },
  {
    key: "margin",
    header: "Margin",
    align: "right",
    cell: (pack) => {
      const { marginCents, marginPercent } = calculateMargin(pack);
      return (
        <span className={marginCents < 0 ? "text-danger-ink" : undefined}>
          <RandAmount amountCents={marginCents} areCentsShown />{" "}
          <span className="text-xs text-ink-2">{marginPercent}%</span>
        </span>
      );
    },
  },
  {
    key: "purchases",
    header: "Purchases",
    align: "right",
    cell: (pack) => formatInteger(pack.purchases),
  },
];
