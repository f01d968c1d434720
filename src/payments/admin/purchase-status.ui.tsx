import type { ReactNode } from "react";
import { Badge } from "#ui/badge.tsx";
import type { DisputeStatus } from "../gateway.ts";
import type { PaymentState } from "../payment-state.ts";

type PurchaseStatusProps = {
  purchase: {
    status?: PaymentState;
    amountCents: number;
    refundedCents: number | null;
    disputeStatus: DisputeStatus | null;
  };
};

const STATE_BADGES: Record<PaymentState, ReactNode> = {
  unpaid: <Badge>Not paid yet</Badge>,
  delayed: <Badge tone="info">Paid later</Badge>,
  paid: <Badge tone="green">Paid</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
  expired: <Badge>Expired</Badge>,
};

const DISPUTE_BADGES: Record<DisputeStatus, ReactNode> = {
  open: <Badge tone="danger">Disputed</Badge>,
  lost: <Badge tone="danger">Dispute lost</Badge>,
  won: <Badge tone="info">Dispute won</Badge>,
};

/** Shows the state of an order's payment, or of a purchase, which is paid, and what was refunded or disputed of it. */
export function PurchaseStatus({ purchase }: PurchaseStatusProps) {
  const { status = "paid", amountCents, disputeStatus } = purchase;
  const refundedCents = purchase.refundedCents ?? 0;
  if (refundedCents === 0 && disputeStatus === null) return STATE_BADGES[status];
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 sm:justify-start">
      {refundedCents > 0 ? (
        <Badge tone="warn">{refundedCents < amountCents ? "Partly refunded" : "Refunded"}</Badge>
      ) : null}
      {disputeStatus ? DISPUTE_BADGES[disputeStatus] : null}
    </span>
  );
}
