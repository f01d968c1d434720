import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { data } from "react-router";
import { formatInstant } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import { Panel } from "#ui/panel.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import type { Route } from "./+types/checkout.page.ts";
import { formatCardNumber } from "./card-numbers.ts";
import { FakeCheckoutPanel } from "./fake-checkout-panel.ui.tsx";
import type { TestCard } from "./fake-provider.ts";
import { findFakeCheckout } from "./fake-providers.server.ts";
import { PaymentControls } from "./payment-controls.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Demo payment page",
    description: "Demo payment page. No real payment is made.",
    isPrivate: true,
  });

export async function loader({ params, request }: Route.LoaderArgs) {
  const found = await findFakeCheckout(params.sessionId);
  if (!found) throw data(null, { status: 404 });
  const { testCards } = found.fake;
  const { createdAt: _, expiresAt, ...checkout } = found.checkout;
  const search = new URL(request.url).searchParams;
  return {
    checkout: { ...checkout, endsAt: expiresAt && formatInstant(expiresAt) },
    testCards,
    problem: toErrorMessage(testCards, search.get("refused"), search.get("card")),
  };
}

function toErrorMessage(
  testCards: readonly TestCard[],
  refusal: string | null,
  last4: string | null,
): string | null {
  if (refusal === "not-a-card") return "Invalid card number. Choose a test card below.";
  if (refusal === "declined")
    return (
      testCards.find((card) => card.declineReason && card.number.endsWith(last4 ?? " "))
        ?.declineReason ?? "Your card was declined."
    );
  return null;
}

/** The fake provider's payment page. Offers every outcome of a real one. */
export default function Checkout({ loaderData }: Route.ComponentProps) {
  const { checkout, testCards, problem } = loaderData;
  return (
    <FakeCheckoutPanel>
      {checkout.status === "unpaid" ? (
        <a
          href={checkout.cancelUrl}
          className="link tap inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          Back without paying
        </a>
      ) : null}
      <div className="mt-2 grid gap-6 md:grid-cols-[2fr_3fr]">
        <section>
          <h1 className="font-cond text-xl font-bold">{checkout.title}</h1>
          <p className="text-sm text-ink-2">{checkout.description}</p>
          <p className="mt-3">
            <RandAmount amountCents={checkout.amountCents} size="huge" />
          </p>
          <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            <dt className="text-ink-3">Email</dt>
            <dd className="break-all">{checkout.customerEmail}</dd>
            {checkout.endsAt ? (
              <>
                <dt className="text-ink-3">Open until</dt>
                <dd>{checkout.endsAt}</dd>
              </>
            ) : null}
          </dl>
        </section>
        {checkout.status === "unpaid" ? (
          <PaymentForms
            id={checkout.id}
            amountCents={checkout.amountCents}
            isCardOnly={checkout.isCardOnly}
            testCards={testCards}
            problem={problem}
          />
        ) : (
          <PaymentControls checkout={checkout} />
        )}
      </div>
    </FakeCheckoutPanel>
  );
}

type PaymentFormsProps = {
  id: string;
  amountCents: number;
  isCardOnly: boolean;
  testCards: readonly TestCard[];
  problem: string | null;
};

function PaymentForms({ id, amountCents, isCardOnly, testCards, problem }: PaymentFormsProps) {
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
            defaultValue={formatCardNumber(testCards[0]?.number ?? "")}
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
            {testCards.map((card) => (
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
      {isCardOnly ? null : (
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
      )}
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
