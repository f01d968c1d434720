import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { broadcastBalanceChange } from "#accounts/accounts.ui.tsx";
import { formatDate } from "#domain/calendar.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { PageHeading } from "#ui/page-heading.tsx";
import { Panel } from "#ui/panel.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useRefresh } from "#ui/use-refresh.ts";
import { PaidSummary } from "./paid-summary.ui.tsx";
import { buildBuyCoinsPath, formatRaceCardName } from "./requested-race-card.ts";
import type { CheckoutResult, OrderSummary } from "./resolve-checkout.server.ts";
import { clearSavedFields } from "./use-saved-fields.ts";

const POLL_INTERVAL_MS = 2_000;
const SLOW_POLL_INTERVAL_MS = 15_000;

/** Shows the result of a checkout, and polls while the payment is not final. */
export function CheckoutOutcome({ result }: { result: CheckoutResult }) {
  const refresh = useRefresh();
  const { key, search } = useLocation();
  const { state } = result;
  useEffect(() => {
    if (state === "paid") {
      broadcastBalanceChange();
      clearSavedFields();
    }
    const intervalMs =
      state === "processing"
        ? POLL_INTERVAL_MS
        : state === "delayed"
          ? SLOW_POLL_INTERVAL_MS
          : null;
    if (intervalMs === null) return;
    const timer = setInterval(() => void refresh(), intervalMs);
    return () => clearInterval(timer);
  }, [state, refresh]);

  const checkAgain = (
    <>
      <ButtonLink key={key} to={`/success${search}`} reloadDocument variant="secondary">
        Check again
      </ButtonLink>
      <ButtonLink to="/" variant="secondary">
        Back to Racing Tips
      </ButtonLink>
    </>
  );
  switch (result.state) {
    case "paid":
      return <PaidSummary result={result} />;
    case "processing":
      return (
        <OutcomePage heading="Processing your purchase" action={checkAgain}>
          <p className="flex items-center gap-3" role="status">
            <Spinner />
            We're waiting for our payment provider to confirm your payment.
          </p>
          <p>
            You can leave this page. When the payment is confirmed we'll add your coins and email
            you a receipt.
          </p>
          <OrderDetails order={result.order} />
        </OutcomePage>
      );
    case "delayed":
      return (
        <OutcomePage heading="Your payment is pending" action={checkAgain}>
          <p role="status">
            The payment method you chose takes longer. We'll add your coins and email you a receipt
            when the money arrives. You don't need to do anything.
          </p>
          <OrderDetails order={result.order} />
        </OutcomePage>
      );
    case "unpaid":
      return (
        <OutcomePage
          heading="You haven't paid yet"
          action={
            <>
              {result.checkoutUrl ? (
                <ButtonLink to={result.checkoutUrl} reloadDocument variant="coin">
                  Continue to payment
                </ButtonLink>
              ) : null}
              <ButtonLink to="/" variant="secondary">
                Back to Racing Tips
              </ButtonLink>
            </>
          }
        >
          <p>You have not been charged, and no coins were added.</p>
        </OutcomePage>
      );
    case "failed":
      return (
        <OutcomePage
          heading="The payment did not go through"
          action={<TryAgain order={result.order} />}
        >
          <p>Your payment failed. You have not been charged, and no coins were added.</p>
          <OrderDetails order={result.order} isOver />
        </OutcomePage>
      );
    case "expired":
      return (
        <OutcomePage
          heading="The payment page has expired"
          action={<TryAgain order={result.order} />}
        >
          <p>
            The payment page expires after an hour. You have not been charged, and no coins were
            added.
          </p>
          <OrderDetails order={result.order} isOver />
        </OutcomePage>
      );
    case "mismatch":
      return (
        <OutcomePage heading="We're checking this payment" action={checkAgain}>
          <p>
            The amount paid doesn't match the order, so we haven't added any coins yet. We'll check
            it and email you. You can also <TextLink to="/contact">contact us</TextLink>.
          </p>
        </OutcomePage>
      );
    case "other-buyer":
      return (
        <OutcomePage
          heading="This payment was started in another browser or account"
          action={
            <>
              <ButtonLink to={`/login?return=${encodeURIComponent(`/success${search}`)}`}>
                Log in
              </ButtonLink>
              <ButtonLink to="/" variant="secondary">
                Back to Racing Tips
              </ButtonLink>
            </>
          }
        >
          <p>
            If it was you, log in to the account you used. Your coins are there, so don't pay again.
          </p>
          <p>
            If you paid as a guest, first confirm your email address with the link we emailed you.
          </p>
        </OutcomePage>
      );
    default:
      return (
        <OutcomePage
          heading="Payment not found"
          action={<ButtonLink to="/">Back to Racing Tips</ButtonLink>}
        >
          <p>
            No coins were added. If you have paid, we'll email you a receipt. If it doesn't arrive,
            see the <TextLink to="/help">help centre</TextLink>.
          </p>
        </OutcomePage>
      );
  }
}

function TryAgain({ order: { raceCard, isGuest } }: { order: OrderSummary }) {
  return (
    <>
      <ButtonLink
        to={
          isGuest && raceCard ? `/unlock/${raceCard.id}` : buildBuyCoinsPath(raceCard?.id ?? null)
        }
        variant="coin"
      >
        {isGuest ? "Try again" : "Buy Coins"}
      </ButtonLink>
      <ButtonLink to="/" variant="secondary">
        Back to Racing Tips
      </ButtonLink>
    </>
  );
}

function OutcomePage({
  heading,
  action,
  children,
}: {
  heading: string;
  action: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto max-w-2xl px-4 py-8 sm:px-6">
      <PageHeading>{heading}</PageHeading>
      <div className="mt-4 grid gap-3 text-ink-2">{children}</div>
      <div className="mt-6 flex flex-wrap gap-3">{action}</div>
    </div>
  );
}

/** Shows an order without a payment. `isOver` hides the receipt, because none will be sent. */
function OrderDetails({ order, isOver = false }: { order: OrderSummary; isOver?: boolean }) {
  const { coinPackTitle, amountCents, coins, raceCard, receiptTo } = order;
  return (
    <Panel title="Your order" className="mt-3 text-ink">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2 [&>dd]:text-right [&>dt]:text-ink-2">
        <dt>Coin pack</dt>
        <dd className="font-semibold">{coinPackTitle}</dd>
        <dt>Amount</dt>
        <dd>
          <RandAmount amountCents={amountCents} />
        </dd>
        <dt>Coins</dt>
        <dd>
          <CoinAmount amountCoins={coins} />
        </dd>
        {raceCard ? (
          <>
            <dt>Race card</dt>
            <dd>
              {formatRaceCardName(raceCard)}, {formatDate(raceCard.raceDate, "short")}
            </dd>
          </>
        ) : null}
        {receiptTo && !isOver ? (
          <>
            <dt>Receipt will be sent to</dt>
            <dd className="break-all">{receiptTo}</dd>
          </>
        ) : null}
      </dl>
    </Panel>
  );
}
