import { and, eq } from "drizzle-orm";
import { formatInstant } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import type { DisputeDetails } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import type { Purchase } from "./purchases.server.ts";
import { coinPurchases } from "./tables.server.ts";

/** Raises the alert about the open disputes of a purchase, and schedules its repetition half-way to the deadline. */
export async function alertAboutOpenDisputes(
  tx: Tx,
  purchase: Purchase,
  disputes: readonly DisputeDetails[],
): Promise<void> {
  await raiseAlert(buildAlert(purchase, disputes), tx);
  const dueAt = findDeadline(listOpen(purchase, disputes));
  const leftMs = dueAt ? dueAt.getTime() - now().getTime() : 0;
  if (leftMs <= 0) return;
  const startAfter = new Date(now().getTime() + leftMs / 2);
  await enqueue(tx, remindOfDispute, { purchaseId: purchase.id }, { startAfter });
}

/** Raises the alert about a dispute again, also after it was dismissed, unless the dispute was answered meanwhile. */
export const remindOfDispute: Job<{ purchaseId: string }> = {
  name: "remind-of-dispute",
  async run({ purchaseId }) {
    const [purchase] = await database()
      .select()
      .from(coinPurchases)
      .where(and(eq(coinPurchases.id, purchaseId), eq(coinPurchases.disputeStatus, "open")));
    if (!purchase?.paymentId) return;
    const payment = await getGateway(purchase.provider).readPayment(purchase.paymentId);
    const disputes = payment?.disputes ?? [];
    if (findDeadline(listOpen(purchase, disputes)) === null) return;
    const { message, ...about } = buildAlert(purchase, disputes);
    await raiseAlert({ ...about, message: `Half of the time to answer has passed. ${message}` });
  },
};

function buildAlert(purchase: Purchase, disputes: readonly DisputeDetails[]) {
  const open = listOpen(purchase, disputes);
  const cents = open.reduce((sum, { amountCents }) => sum + amountCents, 0) || purchase.amountCents;
  const dueAt = findDeadline(open);
  const deadline = dueAt ? ` by ${formatInstant(dueAt)}` : "";
  return {
    kind: "dispute",
    subject: purchase.id,
    message: `${formatRand(cents)} of payment ${purchase.paymentId} is disputed. Answer the dispute at the payment provider${deadline}.`,
  } as const;
}

function listOpen({ currency }: Purchase, disputes: readonly DisputeDetails[]): DisputeDetails[] {
  return disputes.filter((dispute) => dispute.status === "open" && dispute.currency === currency);
}

/** Returns the earliest deadline; null when no dispute waits for an answer. */
function findDeadline(disputes: readonly DisputeDetails[]): Date | null {
  const [dueAt] = disputes.flatMap((dispute) => dispute.dueAt ?? []).sort((a, b) => +a - +b);
  return dueAt ?? null;
}
