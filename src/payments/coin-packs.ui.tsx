import { Check, ChevronDown } from "lucide-react";
import { useState } from "react";
import { useFetcher } from "react-router";
import { COIN_PACKS, type CoinPack, findCheapestPack, raceCardCents } from "#domain/coin-packs.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { useLeavingPage } from "#ui/forms/use-leaving-page.ts";
import { usePrices } from "#ui/prices.ts";
import { TextLink } from "#ui/text-link.tsx";
import { createIdempotencyKey, NOT_CHARGED_MESSAGE, shownPriceField } from "./checkout-form.ts";
import { buildBuyCoinsPath } from "./requested-race-card.ts";

/** Result of the form when it did not lead to the payment page. */
export type BuyCoinsResult = {
  message: string;
  idempotencyKey: string;
  isSignedOut: boolean;
  /** The requested race card is no longer on sale. The form then sells coins without it. */
  isOffSale: boolean;
};

type CoinPacksProps = {
  /** Path to return to when the payment is cancelled. */
  returnTo: string;
  /** The race card that the buyer wants to open with the coins. */
  raceCardId?: string;
  /** The coins that are missing to open a race card. The two smallest packs that have them are listed first. */
  missingCoins?: number;
  /** Set by the server on a page; a dialog creates its own. */
  idempotencyKey?: string;
  /** Coins owed after a refund or dispute. */
  owedCoins?: number;
  /** Result of the form when it was sent without JavaScript. */
  result?: BuyCoinsResult;
  /** Heading level of the packs. */
  level?: 2 | 3;
};

/** Features that all packs share; shown once. */
const COMMON_FEATURES = COIN_PACKS[0]?.features.filter((feature) =>
  COIN_PACKS.every((pack) => pack.features.includes(feature)),
);

/** The packs that are listed first: three, or the two smallest that have the missing coins. */
function chooseLeadingPacks(packs: readonly CoinPack[], missingCoins: number): readonly CoinPack[] {
  const fitting = packs.filter(({ amountCoins }) => amountCoins >= missingCoins);
  if (missingCoins > 0 && fitting.length > 0) return fitting.slice(0, 2);
  return packs.filter(({ amountCoins }) => [4, 12, 20].includes(amountCoins));
}

/** The form with the eight coin packs, used in a dialog and on a page. */
export function CoinPacks({
  returnTo,
  raceCardId,
  missingCoins = 0,
  idempotencyKey,
  owedCoins = 0,
  result: initialResult,
  level = 3,
}: CoinPacksProps) {
  const fetcher = useFetcher<BuyCoinsResult>();
  const [createdKey] = useState(() => idempotencyKey ?? createIdempotencyKey());
  const result = fetcher.data ?? initialResult;
  const isPending = useLeavingPage(fetcher.state);
  const submittedPack = isPending ? String(fetcher.formData?.get("coinPackId") ?? "") : null;
  const { coinPacks } = usePrices();
  const leadingPacks = chooseLeadingPacks(coinPacks, missingCoins);
  return (
    <fetcher.Form
      method="post"
      action="/buy-coins"
      data-not-sent={NOT_CHARGED_MESSAGE}
      data-no-response={NOT_CHARGED_MESSAGE}
      className="grid gap-4"
    >
      <input type="hidden" name="idempotencyKey" value={result?.idempotencyKey ?? createdKey} />
      <input type="hidden" name="returnTo" value={returnTo} />
      {coinPacks.map(({ id, priceCents }) => (
        <input key={id} type="hidden" name={shownPriceField(id)} value={priceCents} />
      ))}
      {raceCardId && !result?.isOffSale ? (
        <input type="hidden" name="raceCardId" value={raceCardId} />
      ) : null}
      {result ? (
        <FormMessage type={result.isSignedOut ? "info" : "error"}>
          {result.message}
          {result.isSignedOut ? (
            <>
              {" "}
              <TextLink
                to={`/login?return=${raceCardId ? encodeURIComponent(buildBuyCoinsPath(raceCardId)) : "buy-coins"}`}
              >
                Log in
              </TextLink>{" "}
              to choose a pack. You have not been charged.
            </>
          ) : null}
        </FormMessage>
      ) : null}
      {owedCoins > 0 ? (
        <FormMessage type="info">
          You owe {formatCoins(owedCoins)} from a refunded payment. Your next purchase repays them
          first. The rest goes into your wallet.
        </FormMessage>
      ) : null}
      <div>
        <PackList packs={leadingPacks} {...{ submittedPack, level }} />
        <details className="group">
          <summary className="flex min-h-11 list-none items-center gap-1.5 text-sm font-semibold text-green-ink [&::-webkit-details-marker]:hidden">
            <ChevronDown
              aria-hidden="true"
              className="size-4 group-open:rotate-180 motion-safe:transition-transform"
            />
            More coin packs
          </summary>
          <PackList
            packs={coinPacks.filter((pack) => !leadingPacks.includes(pack))}
            {...{ submittedPack, level }}
          />
        </details>
      </div>
      <ul className="grid gap-1 text-sm text-ink-2">
        {COMMON_FEATURES?.map((feature) => (
          <li key={feature} className="flex gap-2">
            <Check className="mt-0.5 size-4 shrink-0 text-green-ink" aria-hidden="true" />
            {feature}
          </li>
        ))}
        <li className="flex gap-2">
          <Check className="mt-0.5 size-4 shrink-0 text-green-ink" aria-hidden="true" />
          You pay in rand on our payment provider's secure page.
        </li>
      </ul>
    </fetcher.Form>
  );
}

type PackListProps = {
  packs: readonly CoinPack[];
  submittedPack: string | null;
  level: 2 | 3;
};

function PackList({ packs, submittedPack, level }: PackListProps) {
  const cheapestPack = findCheapestPack(usePrices().coinPacks);
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {packs.map((pack) => (
        <li key={pack.id} className="flex min-h-14 items-center gap-3 py-1.5">
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-center gap-x-2">
              <Heading className="font-cond text-lg leading-6 font-bold">{pack.title}</Heading>
              {pack === cheapestPack ? (
                <Badge tone="green">Cheapest a card</Badge>
              ) : pack.popular ? (
                <Badge tone="solid">Popular</Badge>
              ) : null}
            </div>
            <p className="text-sm text-ink-2">
              {formatCoins(pack.amountCoins)} ·{" "}
              <b className="font-semibold text-ink">
                {formatRand(Math.round(raceCardCents(pack)))} a card
              </b>{" "}
              {pack.savingCents > 0 ? (
                <span className="whitespace-nowrap">· save {formatRand(pack.savingCents)}</span>
              ) : null}
            </p>
          </div>
          <ul className="w-64 text-sm text-ink-2 @max-xl:sr-only">
            {pack.features
              .filter((feature) => !COMMON_FEATURES?.includes(feature))
              .map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
          </ul>
          <Button
            type="submit"
            variant="coin"
            name="coinPackId"
            value={pack.id}
            className="min-w-20 shrink-0 whitespace-nowrap"
            pending={submittedPack === pack.id}
            pendingLabel="Opening the payment page"
            disabled={submittedPack !== null && submittedPack !== pack.id}
          >
            <span className="sr-only">Buy for </span>
            {formatRand(pack.priceCents)}
            <span className="sr-only">
              : {pack.title}, {formatCoins(pack.amountCoins)}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
