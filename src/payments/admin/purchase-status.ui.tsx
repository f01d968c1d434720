import { Badge } from "#ui/badge.tsx";

type SaleStateProps = {
  sale: {
    amountCents: number;
    refundedCents: number;
    disputeStatus: "open" | "won" | "lost" | null;
  };
};

const disputes = {
  open: <Badge tone="danger">Disputed</Badge>,
  lost: <Badge tone="danger">Dispute lost</Badge>,
  won: <Badge tone="info">Dispute won</Badge>,
};

/** Whether a payment stands, was refunded, or is disputed. */
export function SaleState({ sale }: SaleStateProps) {
  const { amountCents, refundedCents, disputeStatus } = sale;
  if (refundedCents === 0 && disputeStatus === null) return <Badge tone="green">Paid</Badge>;
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 sm:justify-start">
      {refundedCents > 0 ? (
        <Badge tone="warn">{refundedCents < amountCents ? "Partly refunded" : "Refunded"}</Badge>
      ) : null}
      {disputeStatus ? disputes[disputeStatus] : null}
    </span>
  );
}
