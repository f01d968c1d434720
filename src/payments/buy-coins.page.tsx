import { data, redirect, redirectDocument } from "react-router";
import { findViewer, hasSessionCookie, loginPath } from "#accounts/accounts.server.ts";
import { SESSION_EXPIRED } from "#accounts/accounts.ui.tsx";
import { formatCardPrice } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, countMissingCoins, formatCoins, formatRand } from "#domain/coins.ts";
import { isId } from "#domain/id.ts";
import { toSameOriginPath } from "#domain/same-origin-path.ts";
import { parseForm } from "#platform/parse-form.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { usePrices } from "#ui/prices.ts";
import { TextLink } from "#ui/text-link.tsx";
import { readWallet } from "#wallet/wallet.server.ts";
import type { Route } from "./+types/buy-coins.page.ts";
import { createIdempotencyKey, readShownCents } from "./checkout-form.ts";
import { type BuyCoinsResult, CoinPacks } from "./coin-packs.ui.tsx";
import {
  refusalMessage,
  refusalStatus,
  SIGN_IN_REQUIRED_MESSAGE,
  WALLET_FROZEN_MESSAGE,
} from "./messages.ts";
import { buyCoinsInput } from "./purchase.input.ts";
import { readRequestedRaceCard } from "./requested-race-card.server.ts";
import { buildBuyCoinsPath, formatRaceCardName } from "./requested-race-card.ts";
import { type StartRefusal, startPurchase } from "./start-purchase.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Buy Coins",
    description:
      "Eight coin packs. A race card costs 4 coins. Coins never expire. No subscription.",
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = await findViewer(context);
  const cardParam = new URL(request.url).searchParams.get("card");
  if (!viewer) {
    const target = cardParam && isId(cardParam) ? buildBuyCoinsPath(cardParam) : "buy-coins";
    throw redirect(
      hasSessionCookie(context)
        ? loginPath(target, true)
        : `/login?mode=register&return=${encodeURIComponent(target)}`,
    );
  }
  const [{ balanceCoins, owedCoins, isFrozen }, raceCard] = await Promise.all([
    readWallet(viewer.id),
    readRequestedRaceCard(cardParam, viewer.id),
  ]);
  return { balanceCoins, owedCoins, isFrozen, raceCard, idempotencyKey: createIdempotencyKey() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const viewer = await findViewer(context);
  if (!viewer)
    return refuse(401, hasSessionCookie(context) ? SESSION_EXPIRED : SIGN_IN_REQUIRED_MESSAGE);
  const parsed = parseForm(buyCoinsInput, form);
  if (!parsed.ok)
    return refuse(422, Object.values(parsed.errors)[0] ?? refusalMessage("no-such-coin-pack"));
  const result = await startPurchase({
    viewer,
    ...parsed.values,
    shownCents: readShownCents(form, parsed.values.coinPackId),
    returnTo: toSameOriginPath(parsed.values.returnTo),
  });
  if (!result.ok)
    return refuse(refusalStatus(result.refusal), refusalMessage(result.refusal), result.refusal);
  throw redirectDocument(result.redirectUrl, 303);
}

function refuse(status: number, message: string, refusal?: StartRefusal) {
  return data<BuyCoinsResult>(
    {
      message,
      idempotencyKey: createIdempotencyKey(),
      isSignedOut: status === 401,
      isOffSale: refusal === "not-on-sale",
    },
    { status },
  );
}

/** Shows the coin packs on a page, which also works without JavaScript. */
export default function BuyCoins({ loaderData, actionData }: Route.ComponentProps) {
  const { balanceCoins, owedCoins, isFrozen, raceCard, idempotencyKey } = loaderData;
  const prices = usePrices();
  const missingCoins = countMissingCoins({ balanceCoins, owedCoins });
  const requested = raceCard?.state === "on-sale" ? raceCard : null;
  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:px-6">
      <PageHeading
        lead={`A race card costs ${formatCoins(CARD_PRICE_COINS)}: ${formatRand(prices.cardCents)}, or less with a bigger pack. You have ${formatCoins(balanceCoins)}.`}
      >
        Buy Coins
      </PageHeading>
      {raceCard ? (
        <p className="mt-4">
          <TextLink to={`/race-cards/${raceCard.id}`}>{formatRaceCardName(raceCard)}</TextLink>{" "}
          {!requested
            ? "is not on sale."
            : missingCoins > 0
              ? `costs ${formatCardPrice(prices)}. You need ${missingCoins} more ${missingCoins === 1 ? "coin" : "coins"}.`
              : `costs ${formatCardPrice(prices)}. You have enough coins for it.`}
        </p>
      ) : null}
      <div className="@container mt-6">
        {isFrozen ? (
          <FormMessage type="warning">{WALLET_FROZEN_MESSAGE}</FormMessage>
        ) : (
          <CoinPacks
            level={2}
            returnTo={buildBuyCoinsPath(requested?.id ?? null)}
            raceCardId={requested?.id}
            missingCoins={requested ? missingCoins : 0}
            idempotencyKey={idempotencyKey}
            owedCoins={owedCoins}
            result={actionData}
          />
        )}
      </div>
    </div>
  );
}
