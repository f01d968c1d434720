import type { ReactNode } from "react";
import { formatRand } from "#domain/coins.ts";
import { Button } from "#ui/button.tsx";
import type { ButtonVariant } from "#ui/button-classes.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Panel } from "#ui/panel.tsx";
import type { FakeCheckout } from "./fake-provider.ts";

type ControlledCheckout = Pick<
  FakeCheckout,
  "id" | "amountCents" | "successUrl" | "status" | "cardLast4" | "refundedCents" | "disputeStatus"
>;

/** Actions on a completed checkout: resolve, refund and dispute. */
export function PaymentControls({ checkout }: { checkout: ControlledCheckout }) {
  if (checkout.status === "expired")
    return (
      <FormMessage type="warning" title="This page has closed">
        It expired before payment.
      </FormMessage>
    );
  return (
    <div className="grid content-start gap-4">
      <PaymentStatus checkout={checkout} />
      <p>
        <a href={checkout.successUrl} className={buttonClasses("primary")}>
          Back to Furlong
        </a>
      </p>
      {checkout.status === "delayed" ? <DelayedPayment id={checkout.id} /> : null}
      {checkout.status === "paid" ? (
        <>
          <Refund checkout={checkout} />
          <Dispute checkout={checkout} />
        </>
      ) : null}
    </div>
  );
}

function PaymentStatus({ checkout }: { checkout: ControlledCheckout }) {
  if (checkout.status === "paid")
    return (
      <FormMessage type="success" title="Paid">
        {checkout.cardLast4 ? `By the card ending in ${checkout.cardLast4}. ` : null}
        {checkout.refundedCents > 0 ? `${formatRand(checkout.refundedCents)} refunded. ` : null}
        {checkout.disputeStatus ? DISPUTE_LABELS[checkout.disputeStatus] : null}
      </FormMessage>
    );
  if (checkout.status === "failed") return <FormMessage type="error" title="The payment failed" />;
  return <FormMessage type="info" title="Waiting for payment" />;
}

const DISPUTE_LABELS = {
  open: "Disputed by the cardholder.",
  won: "The dispute was won.",
  lost: "The dispute was lost.",
};

function DelayedPayment({ id }: { id: string }) {
  return (
    <Panel title="Payment">
      <div className="flex flex-wrap gap-3">
        <ActionButton id={id} action="arrive">
          Complete payment
        </ActionButton>
        <ActionButton id={id} action="fail" variant="secondary">
          Fail payment
        </ActionButton>
      </div>
    </Panel>
  );
}

function Refund({ checkout }: { checkout: ControlledCheckout }) {
  const remainingCents = checkout.amountCents - checkout.refundedCents;
  return (
    <Panel title="Refund">
      <div className="grid gap-3">
        {remainingCents > 0 ? (
          <AmountForm id={checkout.id} action="refund" maxCents={remainingCents}>
            Refund
          </AmountForm>
        ) : null}
        {checkout.refundedCents > 0 ? (
          <AmountForm id={checkout.id} action="refund-failed" maxCents={checkout.refundedCents}>
            Let refund fail
          </AmountForm>
        ) : null}
      </div>
    </Panel>
  );
}

function Dispute({ checkout }: { checkout: ControlledCheckout }) {
  const { id, disputeStatus } = checkout;
  if (disputeStatus === "won") return null;
  return (
    <Panel title="Dispute">
      <div className="flex flex-wrap gap-3">
        {disputeStatus === null ? (
          <AmountForm id={id} action="dispute" maxCents={checkout.amountCents}>
            Dispute the payment
          </AmountForm>
        ) : null}
        {disputeStatus === "open" ? (
          <>
            <ActionButton id={id} action="dispute-won" variant="secondary">
              Close dispute: Furlong wins
            </ActionButton>
            <ActionButton id={id} action="dispute-lost" variant="danger">
              Close dispute: Furlong loses
            </ActionButton>
          </>
        ) : null}
        {disputeStatus === "lost" ? (
          <>
            <ActionButton id={id} action="dispute" variant="secondary">
              Appeal
            </ActionButton>
            <ActionButton id={id} action="dispute-won" variant="secondary">
              Return the money to the shop
            </ActionButton>
          </>
        ) : null}
      </div>
    </Panel>
  );
}

type AmountFormProps = { id: string; action: string; maxCents: number; children: ReactNode };

/** A form for an amount, by default the maximum. */
function AmountForm({ id, action, maxCents, children }: AmountFormProps) {
  return (
    <form
      method="post"
      action={`/demo/checkout/${id}/${action}`}
      className="flex flex-wrap items-end gap-3"
    >
      <TextField
        label="Amount"
        name="rand"
        type="number"
        prefix="R"
        figures
        min="0.01"
        max={maxCents / 100}
        step="0.01"
        defaultValue={maxCents / 100}
        required
        className="w-36"
      />
      <Button type="submit" variant="secondary">
        {children}
      </Button>
    </form>
  );
}

type ActionButtonProps = {
  id: string;
  action: string;
  variant?: ButtonVariant;
  children: ReactNode;
};

function ActionButton({ id, action, variant, children }: ActionButtonProps) {
  return (
    <form method="post" action={`/demo/checkout/${id}/${action}`}>
      <Button type="submit" variant={variant}>
        {children}
      </Button>
    </form>
  );
}
