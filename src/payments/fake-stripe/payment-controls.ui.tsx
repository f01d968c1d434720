import type { ReactNode } from "react";
import { formatRand } from "#domain/coins.ts";
import { Button } from "#ui/button.tsx";
import type { ButtonVariant } from "#ui/button-classes.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Panel } from "#ui/panel.tsx";

type ControlledSession = {
  id: string;
  amountCents: number;
  successUrl: string;
  status: "open" | "complete" | "expired";
  paymentStatus: "unpaid" | "paid" | "failed";
  cardLast4: string | null;
  refundedCents: number;
  disputeStatus: "needs_response" | "won" | "lost" | null;
};

/** Actions on a completed session: resolve, refund and dispute. */
export function PaymentControls({ session }: { session: ControlledSession }) {
  if (session.status === "expired")
    return (
      <FormMessage type="warning" title="This page has closed">
        It expired before payment.
      </FormMessage>
    );
  return (
    <div className="grid content-start gap-4">
      <PaymentStatus session={session} />
      <p>
        <a href={session.successUrl} className={buttonClasses("primary")}>
          Back to Furlong
        </a>
      </p>
      {session.paymentStatus === "unpaid" ? <PendingPayment id={session.id} /> : null}
      {session.paymentStatus === "paid" ? (
        <>
          <Refund session={session} />
          <Dispute session={session} />
        </>
      ) : null}
    </div>
  );
}

function PaymentStatus({ session }: { session: ControlledSession }) {
  if (session.paymentStatus === "paid")
    return (
      <FormMessage type="success" title="Paid">
        {session.cardLast4 ? `By the card ending in ${session.cardLast4}. ` : null}
        {session.refundedCents > 0 ? `${formatRand(session.refundedCents)} refunded. ` : null}
        {session.disputeStatus ? DISPUTE_LABELS[session.disputeStatus] : null}
      </FormMessage>
    );
  if (session.paymentStatus === "failed")
    return <FormMessage type="error" title="The payment failed" />;
  return <FormMessage type="info" title="Waiting for payment" />;
}

const DISPUTE_LABELS = {
  needs_response: "Disputed by the cardholder.",
  won: "The dispute was won.",
  lost: "The dispute was lost.",
};

function PendingPayment({ id }: { id: string }) {
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

function Refund({ session }: { session: ControlledSession }) {
  const remainingCents = session.amountCents - session.refundedCents;
  return (
    <Panel title="Refund">
      <div className="grid gap-3">
        {remainingCents > 0 ? (
          <AmountForm id={session.id} action="refund" maxCents={remainingCents}>
            Refund
          </AmountForm>
        ) : null}
        {session.refundedCents > 0 ? (
          <AmountForm id={session.id} action="refund-failed" maxCents={session.refundedCents}>
            Let refund fail
          </AmountForm>
        ) : null}
      </div>
    </Panel>
  );
}

function Dispute({ session }: { session: ControlledSession }) {
  const { id, disputeStatus } = session;
  if (disputeStatus === "won") return null;
  return (
    <Panel title="Dispute">
      <div className="flex flex-wrap gap-3">
        {disputeStatus === null ? (
          <AmountForm id={id} action="dispute" maxCents={session.amountCents}>
            Dispute the payment
          </AmountForm>
        ) : null}
        {disputeStatus === "needs_response" ? (
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
