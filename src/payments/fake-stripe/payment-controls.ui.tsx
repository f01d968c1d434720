import type { ReactNode } from "react";
import { formatRand } from "#domain/coins.ts";
import { Button } from "#ui/button.tsx";
import type { ButtonVariant } from "#ui/button-classes.ts";
import { buttonClasses } from "#ui/button-classes.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { Panel } from "#ui/panel.tsx";

type ShownSession = {
  id: string;
  amountCents: number;
  successUrl: string;
  status: "open" | "complete" | "expired";
  paymentStatus: "unpaid" | "paid" | "failed";
  cardEnding: string | null;
  refundedCents: number;
  disputeStatus: "needs_response" | "won" | "lost" | null;
};

/** What can still happen to a payment once its page is done with. */
export function PaymentControls({ session }: { session: ShownSession }) {
  if (session.status === "expired")
    return (
      <FormMessage type="warning" title="This page has closed">
        It expired before payment.
      </FormMessage>
    );
  return (
    <div className="grid content-start gap-4">
      <State session={session} />
      <p>
        <a href={session.successUrl} className={buttonClasses("primary")}>
          Back to Furlong
        </a>
      </p>
      {session.paymentStatus === "unpaid" ? <Promised id={session.id} /> : null}
      {session.paymentStatus === "paid" ? (
        <>
          <Refund session={session} />
          <Dispute session={session} />
        </>
      ) : null}
    </div>
  );
}

function State({ session }: { session: ShownSession }) {
  if (session.paymentStatus === "paid")
    return (
      <FormMessage type="success" title="Paid">
        {session.cardEnding ? `By the card ending in ${session.cardEnding}. ` : null}
        {session.refundedCents > 0 ? `${formatRand(session.refundedCents)} refunded. ` : null}
        {session.disputeStatus ? DISPUTE[session.disputeStatus] : null}
      </FormMessage>
    );
  if (session.paymentStatus === "failed")
    return <FormMessage type="error" title="The payment failed" />;
  return <FormMessage type="info" title="Waiting for payment" />;
}

const DISPUTE = {
  needs_response: "Disputed by the cardholder.",
  won: "The dispute was won.",
  lost: "The dispute was lost.",
};

function Promised({ id }: { id: string }) {
  return (
    <Panel title="Payment">
      <div className="flex flex-wrap gap-3">
        <Act id={id} act="arrive">
          Complete payment
        </Act>
        <Act id={id} act="fail" variant="secondary">
          Fail payment
        </Act>
      </div>
    </Panel>
  );
}

function Refund({ session }: { session: ShownSession }) {
  const left = session.amountCents - session.refundedCents;
  return (
    <Panel title="Refund">
      <div className="grid gap-3">
        {left > 0 ? (
          <AmountForm id={session.id} act="refund" maxCents={left}>
            Refund
          </AmountForm>
        ) : null}
        {session.refundedCents > 0 ? (
          <AmountForm id={session.id} act="refund-failed" maxCents={session.refundedCents}>
            Let refund fail
          </AmountForm>
        ) : null}
      </div>
    </Panel>
  );
}

function Dispute({ session }: { session: ShownSession }) {
  const { id, disputeStatus } = session;
  if (disputeStatus === "won") return null;
  return (
    <Panel title="Dispute">
      <div className="flex flex-wrap gap-3">
        {disputeStatus === null ? (
          <AmountForm id={id} act="dispute" maxCents={session.amountCents}>
            Dispute the payment
          </AmountForm>
        ) : null}
        {disputeStatus === "needs_response" ? (
          <>
            <Act id={id} act="dispute-won" variant="secondary">
              Close dispute: Furlong wins
            </Act>
            <Act id={id} act="dispute-lost" variant="danger">
              Close dispute: Furlong loses
            </Act>
          </>
        ) : null}
        {disputeStatus === "lost" ? (
          <>
            <Act id={id} act="dispute" variant="secondary">
              Appeal
            </Act>
            <Act id={id} act="dispute-won" variant="secondary">
              Return the money to the shop
            </Act>
          </>
        ) : null}
      </div>
    </Panel>
  );
}

type AmountFormProps = { id: string; act: string; maxCents: number; children: ReactNode };

/** A form for an amount of the payment, all of what is left unless another one is entered. */
function AmountForm({ id, act, maxCents, children }: AmountFormProps) {
  return (
    <form
      method="post"
      action={`/demo/checkout/${id}/${act}`}
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

type ActProps = { id: string; act: string; variant?: ButtonVariant; children: ReactNode };

function Act({ id, act, variant, children }: ActProps) {
  return (
    <form method="post" action={`/demo/checkout/${id}/${act}`}>
      <Button type="submit" variant={variant}>
        {children}
      </Button>
    </form>
  );
}
