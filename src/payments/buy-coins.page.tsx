import { data, redirect, redirectDocument } from "react-router";
import { CARD_PRICE_COINS, COIN_CENTS, formatCoins, formatRand } from "#domain/coins.ts";
import { toSameOriginPath } from "#domain/same-origin-path.ts";
import { findViewer, hasSessionCookie, loginPath } from "#identity/identity.server.ts";
import { SESSION_EXPIRED } from "#identity/identity.ui.tsx";
import { parseForm } from "#platform/parse-form.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import type { Route } from "./+types/buy-coins.page.ts";
import { createIdempotencyKey } from "./checkout-form.ts";
import { type BuyCoinsResult, CoinPacks } from "./coin-packs.ui.tsx";
import {
  refusalMessage,
  refusalStatus,
  SIGN_IN_REQUIRED_MESSAGE,
  WALLET_FROZEN_MESSAGE,
} from "./messages.ts";
import { buyCoinsInput } from "./purchase.input.ts";
import { startPurchase } from "./start-purchase.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Buy Coins",
    description:
      "Eight coin packs from R40. A race card costs 4 coins. Coins never expire. No subscription.",
  });

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await findViewer(context);
  if (!viewer)
    throw redirect(
      hasSessionCookie(context)
        ? loginPath("buy-coins", true)
        : "/login?mode=register&return=buy-coins",
    );
  const { balanceCoins, owedCoins, isFrozen } = await readWallet(viewer.id);
  return { balanceCoins, owedCoins, isFrozen, idempotencyKey: createIdempotencyKey() };
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
    returnTo: toSameOriginPath(parsed.values.returnTo),
  });
  if (!result.ok) return refuse(refusalStatus(result.refusal), refusalMessage(result.refusal));
  throw redirectDocument(result.redirectUrl, 303);
}

function refuse(status: number, message: string) {
  return data<BuyCoinsResult>(
    { message, idempotencyKey: createIdempotencyKey(), isSignedOut: status === 401 },
    { status },
  );
}

/** Shows the coin packs on a page, which also works without JavaScript. */
export default function BuyCoins({ loaderData, actionData }: Route.ComponentProps) {
  const { balanceCoins, owedCoins, isFrozen, idempotencyKey } = loaderData;
  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:px-6">
      <PageHeading
        lead={`A race card costs ${formatCoins(CARD_PRICE_COINS)}: ${formatRand(CARD_PRICE_COINS * COIN_CENTS)}, or less with a bigger pack. You have ${formatCoins(balanceCoins)}.`}
      >
        Buy Coins
      </PageHeading>
      <div className="@container mt-6">
        {isFrozen ? (
          <FormMessage type="warning">{WALLET_FROZEN_MESSAGE}</FormMessage>
        ) : (
          <CoinPacks
            level={2}
            returnTo="/buy-coins"
            idempotencyKey={idempotencyKey}
            owedCoins={owedCoins}
            result={actionData}
          />
        )}
      </div>
    </div>
  );
}
