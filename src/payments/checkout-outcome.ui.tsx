import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { announceBalance } from "#identity/identity.ui.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { useRefresh } from "#ui/hooks/use-refresh.ts";
import { PageHeading } from "#ui/page-heading.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { OrderUnderWay } from "./order-summary.ui.tsx";
import { PaidSummary } from "./paid-summary.ui.tsx";
import type { CheckoutResult } from "./resolve-checkout.server.ts";
import { forgetKeptFields } from "./use-saved-fields.ts";

const ASK_AGAIN_MS = 2_000;
const ASK_LATER_MS = 15_000;

/** What became of a payment, said plainly; as long as that is open it is asked again by itself. */
export function CheckoutOutcome({ result }: { result: CheckoutResult }) {
  const refresh = useRefresh();
  const { key, search } = useLocation();
  const { state } = result;
  useEffect(() => {
    if (state === "paid") {
      announceBalance();
      forgetKeptFields();
    }
    const wait = state === "processing" ? ASK_AGAIN_MS : state === "awaiting" ? ASK_LATER_MS : null;
    if (wait === null) return;
    const timer = setInterval(() => void refresh(), wait);
    return () => clearInterval(timer);
  }, [state, refresh]);

  const again = (
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
        <Sheet heading="Processing your purchase" action={again}>
          <p className="flex items-center gap-3" role="status">
            <Spinner />
            We're waiting for our payment provider to confirm your payment.
          </p>
          <p>
            You can leave this page. When the payment is confirmed we'll add your coins and email
            you a receipt.
          </p>
          <OrderUnderWay order={result.order} />
        </Sheet>
      );
    case "awaiting":
      return (
        <Sheet heading="Your payment is pending" action={again}>
          <p role="status">
            The payment method you chose takes longer. We'll add your coins and email you a receipt
            when the money arrives. You don't need to do anything.
          </p>
          <OrderUnderWay order={result.order} />
        </Sheet>
      );
    case "unpaid":
      return (
        <Sheet
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
        </Sheet>
      );
    case "failed":
      return (
        <Sheet heading="The payment did not go through" action={<TryAgain />}>
          <p>Your payment failed. You have not been charged, and no coins were added.</p>
          <OrderUnderWay order={result.order} isOver />
        </Sheet>
      );
    case "expired":
      return (
        <Sheet heading="The payment page has expired" action={<TryAgain />}>
          <p>
            The payment page expires after an hour. You have not been charged, and no coins were
            added.
          </p>
          <OrderUnderWay order={result.order} isOver />
        </Sheet>
      );
    case "mismatch":
      return (
        <Sheet heading="We're checking this payment" action={again}>
          <p>
            The amount paid doesn't match the order, so we haven't added any coins yet. We'll check
            it and email you. You can also <TextLink to="/contact">contact us</TextLink>.
          </p>
        </Sheet>
      );
    case "foreign":
      return (
        <Sheet
          heading="This payment was started in another browser or account"
          action={
            <>
              <ButtonLink to="/login?return=/my-cards">Log in</ButtonLink>
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
        </Sheet>
      );
    default:
      return (
        <Sheet
          heading="Payment not found"
          action={<ButtonLink to="/">Back to Racing Tips</ButtonLink>}
        >
          <p>
            No coins were added. If you have paid, we'll email you a receipt. If it doesn't arrive,
            see the <TextLink to="/help">help centre</TextLink>.
          </p>
        </Sheet>
      );
  }
}

function TryAgain() {
  return (
    <>
      <ButtonLink to="/buy-coins" variant="coin">
        Buy Coins
      </ButtonLink>
      <ButtonLink to="/" variant="secondary">
        Back to Racing Tips
      </ButtonLink>
    </>
  );
}

function Sheet({
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
