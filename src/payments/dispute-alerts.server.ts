import { and, eq } from "drizzle-orm";
import { formatInstant } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, type Tx } from "#platform/database.server.ts";
import { readAlertMessage } from "#platform/list-alerts.server.ts";
import { enqueue, isEnqueued, type Job } from "#platform/queue.server.ts";
import type { DisputeDetails } from "./gateway.ts";
import { getGateway } from "./gateways.server.ts";
import type { Purchase } from "./purchases.server.ts";
import { coinPurchases } from "./tables.server.ts";

/**
 * Raises the alert about the open disputes of a purchase, and schedules its repetition half-way to the deadline, once
 * per deadline. If the purchase was in dispute before, raises it only when a dispute waits for an answer that the alert
 * does not state yet: a later request of the bank, or a second dispute. Must be called inside the transaction that
 * locked the purchase.
 */
export async function alertAboutOpenDisputes(
  tx: Tx,
  purchase: Purchase,
  disputes: readonly DisputeDetails[],
): Promise<void> {
  const alert = buildAlert(purchase, disputes);
  const dueAt = findDeadline(listOpen(purchase, disputes));
  if (purchase.disputeStatus === "open" && (dueAt === null || (await isStated(tx, alert)))) return;
  await raiseAlert(alert, tx);
  const leftMs = dueAt ? dueAt.getTime() - now().getTime() : 0;
  if (dueAt === null || leftMs <= 0) return;
  const reminder = { purchaseId: purchase.id, dueAt: dueAt.toISOString() };
  if (await isEnqueued(tx, remindOfDispute, reminder)) return;
  const startAfter = new Date(now().getTime() + leftMs / 2);
  await enqueue(tx, remindOfDispute, reminder, { startAfter });
}

/** Returns whether the alert was raised with this message, or with the sentence of its reminder before it. */
async function isStated(tx: Tx, alert: ReturnType<typeof buildAlert>): Promise<boolean> {
  return (await readAlertMessage(tx, alert))?.endsWith(alert.message) ?? false;
}

/**
 * Raises the alert about a dispute again, also after it was dismissed, unless the dispute was answered meanwhile or has
 * another deadline, which has a reminder of its own. `dueAt` is missing in jobs that the version before enqueued.
 */
export const remindOfDispute: Job<{ purchaseId: string; dueAt?: string }> = {
  name: "remind-of-dispute",
  async run({ purchaseId, dueAt }) {
    const [purchase] = await database()
      .select()
      .from(coinPurchases)
      .where(and(eq(coinPurchases.id, purchaseId), eq(coinPurchases.disputeStatus, "open")));
    if (!purchase?.paymentId) return;
    const payment = await getGateway(purchase.provider).readPayment(purchase.paymentId);
    const disputes = payment?.disputes ?? [];
    const deadline = findDeadline(listOpen(purchase, disputes));
    if (deadline === null) return;
    if (dueAt !== undefined && formatInstant(deadline) !== formatInstant(new Date(dueAt))) return;
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
