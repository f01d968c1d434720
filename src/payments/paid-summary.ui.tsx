import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";
import { Button } from "#ui/button.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { CardPrice } from "#ui/prices.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { RequestedRaceCardAction } from "./requested-race-card.ui.tsx";
import type { CheckoutResult } from "./resolve-checkout.server.ts";

type PaidCheckout = Extract<CheckoutResult, { state: "paid" }>;

const REDIRECT_AFTER_SECONDS = 3;

/** Shows a paid order and the next steps. */
export function PaidSummary({ result }: { result: PaidCheckout }) {
  const { guest, raceCard, isSignedIn, idempotencyKey } = result;
  return (
    <div className="mx-auto max-w-2xl px-4 py-8 sm:px-6">
      <PageHeading kicker={<PaidLabel />} lead="Thank you. We've emailed you a receipt.">
        Payment Successful
      </PageHeading>
      {raceCard ? (
        <div className="mt-6">
          <RequestedRaceCardAction {...{ raceCard, isSignedIn, idempotencyKey }} />
        </div>
      ) : null}
      {guest ? <GuestNote guest={guest} isSignedIn={isSignedIn} coins={result.coins} /> : null}
      <Panel title="Your purchase" className="mt-6">
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
          <dt className="text-ink-2">Coin pack</dt>
          <dd className="text-right font-semibold">{result.coinPackTitle}</dd>
          <dt className="text-ink-2">Amount paid</dt>
          <dd className="text-right">
            <RandAmount amountCents={result.amountCents} />
          </dd>
          <dt className="text-ink-2">Coins received</dt>
          <dd className="text-right">
            <CoinAmount amountCoins={result.coins} />
          </dd>
          {result.repaidCoins > 0 ? (
            <>
              <dt className="text-ink-2">Repaid what you owed</dt>
              <dd className="text-right">
                <CoinAmount amountCoins={-result.repaidCoins} hasSign />
              </dd>
              <dt className="text-ink-2">Added to your wallet</dt>
              <dd className="text-right">
                <CoinAmount amountCoins={result.coins - result.repaidCoins} />
              </dd>
            </>
          ) : null}
          {guest && guest.welcomeCoins > 0 ? (
            <>
              <dt className="text-ink-2">Welcome coins</dt>
              <dd className="text-right">
                <CoinAmount amountCoins={guest.welcomeCoins} />
              </dd>
            </>
          ) : null}
          {guest ? <GuestBalance guest={guest} coins={result.coins} /> : null}
        </dl>
      </Panel>
      <section className="mt-6">
        <h2 className="font-cond text-lg font-bold">What's Next</h2>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-ink-2">
          {guest && guest.outcome !== "existing-account" ? (
            <li>Confirm your email address using the link we sent you</li>
          ) : null}
          {raceCard ? null : (
            <li>
              Choose a race card: <CardPrice /> opens every race on it
            </li>
          )}
          <li>
            Find your opened race cards under <TextLink to="/my-cards">My cards</TextLink>
          </li>
        </ul>
      </section>
      {raceCard || guest ? (
        <ButtonLink to="/" variant="secondary" className="mt-6">
          Back to Racing Tips
        </ButtonLink>
      ) : (
        <DelayedRedirect />
      )}
    </div>
  );
}

/** Shows the balance of a new account. Nothing for an existing account, whose balance is not known here. */
function GuestBalance({
  guest,
  coins,
}: {
  guest: NonNullable<PaidCheckout["guest"]>;
  coins: number;
}) {
  if (guest.outcome === "existing-account") return null;
  const spentCoins = guest.hasOpened ? CARD_PRICE_COINS : 0;
  return (
    <>
      {spentCoins > 0 ? (
        <>
          <dt className="text-ink-2">Race card opened</dt>
          <dd className="text-right">
            <CoinAmount amountCoins={-spentCoins} hasSign />
          </dd>
        </>
      ) : null}
      <dt className="border-t border-rule pt-2 font-semibold">Balance</dt>
      <dd className="border-t border-rule pt-2 text-right">
        <CoinAmount amountCoins={coins + guest.welcomeCoins - spentCoins} />
      </dd>
    </>
  );
}

function PaidLabel() {
  return (
    <span className="inline-flex items-center gap-1.5">
      <CircleCheck className="size-4" aria-hidden="true" /> Paid
    </span>
  );
}

/** Explains where the result differs from the guest deal. */
function GuestNote({
  guest,
  isSignedIn,
  coins,
}: {
  guest: NonNullable<PaidCheckout["guest"]>;
  isSignedIn: boolean;
  coins: number;
}) {
  const notes: string[] = [];
  const paidForCard = guest.hasOpened
    ? ` The ${formatCoins(coins)} you bought paid for this race card.`
    : "";
  if (guest.outcome === "existing-account")
    notes.push(
      "You already have an account with this email address. We've added your purchase to it. Log in with your existing password.",
    );
  if (guest.outcome === "repeat")
    notes.push(
      `The welcome coins are for first-time buyers, and this email address or payment card has had them before.${paidForCard}`,
    );
  if (guest.outcome === "no-card")
    notes.push(
      `The welcome coins are only for payments with a card we can recognise.${paidForCard}`,
    );
  if (!guest.hasOpened)
    notes.push(
      guest.outcome === "existing-account"
        ? "This payment did not open the race card."
        : "This race card was no longer on sale, so your coins are in your wallet.",
    );
  if (!isSignedIn && guest.outcome !== "existing-account")
    notes.push("Log in with the password you chose to see your coins and race cards.");
  if (notes.length === 0) return null;
  return (
    <FormMessage type="info" className="mt-6">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </FormMessage>
  );
}

/** Redirects to the home page after three seconds; a button cancels the redirect. */
function DelayedRedirect() {
  const navigate = useNavigate();
  const [isCancelled, setCancelled] = useState(false);
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (isCancelled) return;
    setSeconds(REDIRECT_AFTER_SECONDS);
    const countdown = setInterval(
      () => setSeconds((secondsLeft) => Math.max(1, (secondsLeft ?? 1) - 1)),
      1000,
    );
    const redirect = setTimeout(
      () => navigate("/", { replace: true }),
      REDIRECT_AFTER_SECONDS * 1000,
    );
    return () => {
      clearInterval(countdown);
      clearTimeout(redirect);
    };
  }, [isCancelled, navigate]);
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3">
      <ButtonLink to="/">Back to Racing Tips</ButtonLink>
      {seconds !== null && !isCancelled ? (
        <>
          <Button variant="secondary" onClick={() => setCancelled(true)}>
            Stay here
          </Button>
          <p className="text-sm text-ink-2">
            Taking you to Racing Tips in {seconds} {seconds === 1 ? "second" : "seconds"}.
          </p>
        </>
      ) : null}
    </div>
  );
}
