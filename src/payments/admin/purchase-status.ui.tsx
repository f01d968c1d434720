import { Badge } from "#ui/badge.tsx";

type PurchaseStatusProps = {
  purchase: {
    amountCents: number;
    refundedCents: number;
    disputeStatus: "open" | "won" | "lost" | null;
  };
};

const DISPUTE_BADGES = {
  open: <Badge tone="danger">Disputed</Badge>,
  lost: <Badge tone="danger">Dispute lost</Badge>,
  won: <Badge tone="info">Dispute won</Badge>,
};

/** Shows whether a purchase is paid, refunded or disputed. */
export function PurchaseStatus({ purchase }: PurchaseStatusProps) {
  const { amountCents, refundedCents, disputeStatus } = purchase;
  if (refundedCents === 0 && disputeStatus === null) return <Badge tone="green">Paid</Badge>;
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 sm:justify-start">
      {refundedCents > 0 ? (
        <Badge tone="warn">{refundedCents < amountCents ? "Partly refunded" : "Refunded"}</Badge>
      ) : null}
      {disputeStatus ? DISPUTE_BADGES[disputeStatus] : null}
    </span>
  );
}
