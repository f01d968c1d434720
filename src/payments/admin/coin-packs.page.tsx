import * as v from "valibot";
import { readUsers } from "#accounts/accounts.server.ts";
import { formSuccess, handleAdminForm, requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { COIN_PACKS, type CoinPack, GUEST_DEAL, raceCardCents } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand, WELCOME_COINS } from "#domain/coins.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import {
  CREATOR_SHARE,
  changePrice,
  findFirstChangeDate,
  listPriceChanges,
  PRICE_SUBJECTS,
  readPrices,
  readSaleTerms,
} from "#wallet/wallet.server.ts";
import { readPurchaseSummary } from "../purchase-summary.server.ts";
import type { Route } from "./+types/coin-packs.page.ts";
import { changePriceInput } from "./change-price.input.ts";
import { ChangePriceForm } from "./change-price-form.ui.tsx";
import { calculateMargin, findDearerPacks } from "./margin.ts";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Coin packs, Admin",
    description: "Revenue, commission and margin of each coin pack.",
    isPrivate: true,
  });

const PACKS = [...COIN_PACKS, GUEST_DEAL];

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const [purchases, prices, terms, changes] = await Promise.all([
    readPurchaseSummary(),
    readPrices(),
    readSaleTerms(),
    listPriceChanges(),
  ]);
  const admins = await readUsers(changes.flatMap(({ createdBy }) => createdBy ?? []));
  const purchasesByTitle = new Map(
    purchases.coinPacks.map(({ coinPackTitle, purchases }) => [coinPackTitle, purchases]),
  );
  return {
    packs: [...prices.coinPacks, prices.guestDeal].map((pack) => ({
      ...pack,
      ...calculateMargin(pack, terms.earningCents),
      purchases: purchasesByTitle.get(pack.title) ?? 0,
    })),
    terms,
    changes: changes.map(({ id, validFrom, subject, value, createdBy }) => ({
      id,
      from: validFrom ? formatDate(dateAt(validFrom), "long") : "The start",
      subject: describeSubject(subject),
      value: describeValue(subject, value),
      changedBy: createdBy ? (admins.get(createdBy)?.name ?? "") : "",
    })),
    subjects: PRICE_SUBJECTS.map((subject) => ({
      value: subject,
      label: `${describeSubject(subject)}, in ${subject === CREATOR_SHARE ? "%" : "R"}`,
    })),
    firstChangeDate: findFirstChangeDate(),
  };
}

function describeSubject(subject: string): string {
  const pack = PACKS.find(({ id }) => id === subject);
  return pack ? `${pack.title} (${formatCoins(pack.amountCoins)})` : "Tipsters' share";
}

const describeValue = (subject: string, value: number) =>
  subject === CREATOR_SHARE ? `${value}%` : formatRand(value);

const DATE_ERRORS = {
  "too-early": "Must be tomorrow or later, and set an hour before that day",
  "too-far-ahead": "Must be within a year",
};

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await handleAdminForm(admin, {
    request,
    context,
    input: v.pipe(
      changePriceInput,
      v.transform(({ subject, amount, from }) => ({
        subject,
        value: subject === CREATOR_SHARE ? amount : amount * 100,
        from,
      })),
    ),
    check: ({ subject, value }) => {
      if (!PRICE_SUBJECTS.includes(subject))
        return { errors: { subject: "Please choose what to change" } };
      return subject === CREATOR_SHARE && value > 100
        ? { errors: { amount: "Must be 100% or less" } }
        : null;
    },
    needsCode: true,
    run: (change) => changePrice(admin.id, change),
    done: (_, { subject, value, from }) =>
      formSuccess(
        `${describeSubject(subject)}: ${describeValue(subject, value)} from ${formatDate(from, "long")}.`,
      ),
    refusals: ({ refusal }, { subject, value }) =>
      refusal === "unchanged"
        ? {
            errors: { amount: `It is ${describeValue(subject, value)} on that day already` },
            status: 409,
          }
        : { errors: { from: DATE_ERRORS[refusal] } },
    failed: "Failed to change the price",
  });
}

type CoinPackRow = Route.ComponentProps["loaderData"]["packs"][number];

/** Shows the margin of each coin pack when all its coins are spent, before the payment provider's fee. */
export default function CoinPacks({ loaderData, actionData }: Route.ComponentProps) {
  const { packs, terms, changes } = loaderData;
  const dearerPacks = findDearerPacks(packs.filter(({ id }) => id !== GUEST_DEAL.id));
  return (
    <div className="grid gap-5">
      <div>
        <TextLink to="/admin/purchases" standalone className="text-sm">
          All purchases
        </TextLink>
        <SectionHeading
          className="mt-2"
          lead={`Every ${formatCoins(CARD_PRICE_COINS)} open one race card, and each opened race card pays its tipster ${formatRand(terms.earningCents)}. Margin is what is left once all coins are spent, before payment fees.`}
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
      <Table caption="Coin packs" columns={columns} rows={packs} rowKey={(pack) => pack.id} />
      <p className="max-w-prose text-sm text-ink-2">
        The guest deal gives two race cards for the price of one: we pay the commission on the{" "}
        {WELCOME_COINS} welcome coins. One per email address and payment card.
      </p>
      <section className="mt-3 grid gap-3">
        <SectionHeading
          lead={`A tipster earns ${terms.sharePercent}% of ${formatRand(terms.priceCents)}, the price of the smallest pack, from each sale. A change applies to orders and sales from its first day on; earlier ones keep theirs.`}
        >
          Prices and tipsters' share
        </SectionHeading>
        <Table
          caption="Prices and tipsters' share"
          columns={changeColumns}
          rows={changes}
          rowKey={(change) => String(change.id)}
        />
      </section>
      <ChangePriceForm
        actionData={actionData}
        subjects={loaderData.subjects}
        firstDate={loaderData.firstChangeDate}
      />
    </div>
  );
}

const formatCardPrice = (pack: CoinPack) => formatRand(Math.round(raceCardCents(pack)));

type ChangeRow = Route.ComponentProps["loaderData"]["changes"][number];

const changeColumns: readonly TableColumn<ChangeRow>[] = [
  { key: "subject", header: "What", isRowHeader: true, cell: (change) => change.subject },
  { key: "value", header: "Value", align: "right", cell: (change) => change.value },
  { key: "from", header: "From", cell: (change) => change.from },
  {
    key: "changedBy",
    header: "Changed by",
    isUserText: true,
    cell: (change) => change.changedBy,
  },
];

const columns: readonly TableColumn<CoinPackRow>[] = [
  { key: "pack", header: "Coin pack", isRowHeader: true, cell: (pack) => pack.title },
  {
    key: "coins",
    header: "Coins",
    align: "right",
    cell: (pack) => <CoinAmount amountCoins={pack.coins} isUnitVisible={false} />,
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
    cell: (pack) => pack.raceCards,
  },
  {
    key: "commission",
    header: "Commission",
    align: "right",
    cell: (pack) => <RandAmount amountCents={pack.earningCents} areCentsShown />,
  },
  {
    key: "margin",
    header: "Margin",
    align: "right",
    cell: ({ marginCents, marginPercent }) => (
      <span className={marginCents < 0 ? "text-danger-ink" : undefined}>
        <RandAmount amountCents={marginCents} areCentsShown />{" "}
        <span className="text-xs text-ink-2">{marginPercent}%</span>
      </span>
    ),
  },
  {
    key: "purchases",
    header: "Purchases",
    align: "right",
    cell: (pack) => formatInteger(pack.purchases),
  },
];
