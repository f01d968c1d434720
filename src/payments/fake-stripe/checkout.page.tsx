import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { data } from "react-router";
import { formatInstant } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { env } from "#platform/env.server.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import type { Route } from "./+types/checkout.page.ts";
import { FakeCheckoutPanel } from "./fake-checkout-panel.ui.tsx";
import { findSession } from "./fake-stripe-session.server.ts";
import { PaymentControls } from "./payment-controls.ui.tsx";
import { formatCardNumber, TEST_CARDS } from "./test-cards.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Demo payment page",
    description: "Demo payment page. No real payment is made.",
    isPrivate: true,
  });

export async function loader({ params, request }: Route.LoaderArgs) {
  if (!env().stripe.isFake) throw data(null, { status: 404 });
  const session = await findSession(params.sessionId);
  if (!session) throw data(null, { status: 404 });
  const search = new URL(request.url).searchParams;
  return {
    session: {
      id: session.id,
      title: session.title,
      description: session.description,
      amountCents: session.amountCents,
      customerEmail: session.customerEmail,
      cancelUrl: session.cancelUrl,
      successUrl: session.successUrl.replace("{CHECKOUT_SESSION_ID}", session.id),
      status: session.status,
      paymentStatus: session.paymentStatus,
      cardLast4: session.cardLast4,
      refundedCents: session.refundedCents,
      disputeStatus: session.disputeStatus,
      endsAt: formatInstant(session.expiresAt),
    },
    problem: toErrorMessage(search.get("refused"), search.get("card")),
  };
}

function toErrorMessage(refusal: string | null, last4: string | null): string | null {
  if (refusal === "not-a-card") return "Invalid card number. Choose a test card below.";
  if (refusal === "declined")
    return (
      TEST_CARDS.find((card) => card.declineReason && card.number.endsWith(last4 ?? " "))
        ?.declineReason ?? "Your card was declined."
    );
  return null;
}

/** The fake provider's payment page. Offers every outcome of a real one. */
export default function Checkout({ loaderData }: Route.ComponentProps) {
  const { session, problem } = loaderData;
  return (
    <FakeCheckoutPanel>
      {session.status === "open" ? (
        <a
          href={session.cancelUrl}
          className="link tap inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          Back without paying
        </a>
      ) : null}
      <div className="mt-2 grid gap-6 md:grid-cols-[2fr_3fr]">
        <section>
          <h1 className="font-cond text-xl font-bold">{session.title}</h1>
          <p className="text-sm text-ink-2">{session.description}</p>
          <p className="mt-3">
            <RandAmount amountCents={session.amountCents} size="huge" />
          </p>
          <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            <dt className="text-ink-3">Email</dt>
            <dd className="break-all">{session.customerEmail}</dd>
            <dt className="text-ink-3">Open until</dt>
            <dd>{session.endsAt}</dd>
          </dl>
        </section>
        {session.status === "open" ? (
          <PaymentForms id={session.id} amountCents={session.amountCents} problem={problem} />
        ) : (
          <PaymentControls session={session} />
        )}
      </div>
    </FakeCheckoutPanel>
  );
}

type PaymentFormsProps = { id: string; amountCents: number; problem: string | null };

function PaymentForms({ id, amountCents, problem }: PaymentFormsProps) {
  const path = `/demo/checkout/${id}`;
  return (
    <div className="grid gap-4">
      {problem ? <FormMessage type="error">{problem}</FormMessage> : null}
      <Panel title="Pay by card">
        <form method="post" action={`${path}/pay`} className="grid gap-4">
          <TextField
            label="Card number"
            name="cardNumber"
            inputMode="numeric"
            autoComplete="off"
            figures
            defaultValue={formatCardNumber(TEST_CARDS[0]?.number ?? "")}
            hint="Use a test card number. Never enter a real card."
          />
          <Button type="submit" size="large" wide>
            Pay {formatRand(amountCents)}
          </Button>
        </form>
      </Panel>
      <Panel title="Test cards" flush>
        <form method="post" action={`${path}/pay`}>
          <ul>
            {TEST_CARDS.map((card) => (
              <li
                key={card.number}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-rule px-4 py-3 last:border-b-0"
              >
                <div>
                  <p className="font-cond text-lg font-semibold">{formatCardNumber(card.number)}</p>
                  <p className="text-sm text-ink-2">
                    {card.label}. {card.outcome}
                  </p>
                </div>
                <PayButton name="listedCard" value={card.number}>
                  Pay with this card
                </PayButton>
              </li>
            ))}
          </ul>
        </form>
      </Panel>
      <Panel title="Pay later (for example by bank transfer)" aside={<Badge>No card</Badge>}>
        <p className="text-sm text-ink-2">
          The order is placed now. Decide later on this page whether the money arrives.
        </p>
        <form method="post" action={`${path}/pay-later`} className="mt-3">
          <Button type="submit" variant="secondary">
            Place order, pay later
          </Button>
        </form>
      </Panel>
    </div>
  );
}

function PayButton({
  name,
  value,
  children,
}: {
  name: string;
  value: string;
  children: ReactNode;
}) {
  return (
    <Button type="submit" variant="secondary" size="small" name={name} value={value}>
      {children}
    </Button>
  );
}
