import { and, asc, eq, isNull, lte, notInArray, or, sql } from "drizzle-orm";
import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { createOutageDetector } from "#platform/outage-detector.ts";
import { isDuplicateReference } from "#platform/paystack-api.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { runEach } from "#platform/run-each.server.ts";
import { decryptExportedDetails } from "../encrypt-bank-details.server.ts";
import { paymentExportLines, payoutTransfers } from "../tables.server.ts";
import {
  alertAboutTransfer,
  applyTransfer,
  type TransferOutcome,
} from "./apply-transfer.server.ts";
import {
  areTransfersOn,
  createRecipient,
  FINAL_STATUSES,
  postTransfer,
  type ReportedTransfer,
  readTransfer,
} from "./paystack.server.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * How long one process has a transfer to itself: longer than its job may run, and long enough for a request whose answer
 * was lost to arrive.
 */
const RESERVED_MS = 10 * MINUTE_MS;
const READ_AGAIN_MS = 5 * MINUTE_MS;
const BATCH_SIZE = 200;

type StoredTransfer = typeof payoutTransfers.$inferSelect;
const isTransfer = (reference: string) => eq(payoutTransfers.reference, reference);

/** Sends a released transfer. Without an answer, the job that follows transfers goes on. */
export const sendTransfer: Job<{ reference: string }> = {
  name: "send-transfer",
  async run({ reference }) {
    try {
      await advanceTransfer(reference);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      logFailure("warn", { reference, error }, "the outcome of a transfer is not known yet");
    }
  },
};

/**
 * Reads transfers in progress from the provider again, and sends those whose job was lost. Alerts the operator about
 * one that takes longer than a day. Stops during an outage of the provider.
 */
export const followTransfers: Job = {
  name: "follow-transfers",
  schedule: "*/5 * * * *",
  async run() {
    if (!env().paystack.isConfigured) return;
    const readBefore = new Date(now().getTime() - READ_AGAIN_MS + MINUTE_MS);
    const transfers = await database()
      .select()
      .from(payoutTransfers)
      .where(
        and(
          // One that counts as failed is in progress again when the provider has said so since.
          or(
            eq(payoutTransfers.status, "pending"),
            and(
              eq(payoutTransfers.status, "failed"),
              notInArray(payoutTransfers.providerStatus, FINAL_STATUSES),
            ),
          ),
          lte(payoutTransfers.createdAt, new Date(now().getTime() - MINUTE_MS)),
          or(isNull(payoutTransfers.readAt), lte(payoutTransfers.readAt, readBefore)),
        ),
      )
      .orderBy(sql`${payoutTransfers.readAt} nulls first`, asc(payoutTransfers.createdAt))
      .limit(BATCH_SIZE);
    const outageDetector = createOutageDetector();
    await runEach(
      followTransfers.name,
      transfers,
      ({ reference }) => `transfer ${reference}`,
      async (transfer) => {
        if (outageDetector.isDetected) return;
        await alertIfLate(transfer);
        try {
          if (transfer.status === "pending") await advanceTransfer(transfer.reference);
          else await syncTransfer(transfer.reference);
          outageDetector.recordResult(null);
        } catch (error) {
          outageDetector.recordResult(error);
          throw error;
        }
      },
    );
  },
};

async function alertIfLate({ reference, payoutId, createdAt }: StoredTransfer): Promise<void> {
  if (now().getTime() - createdAt.getTime() < DAY_MS) return;
  await raiseAlertThrottled(DAY_MS, {
    kind: "transfer-attention",
    subject: payoutId,
    message: `Transfer ${reference} of payout ${payoutId} has been in progress for more than a day. Look for its reference in the Paystack dashboard.`,
  });
}

/**
 * Brings one transfer forward: reads what became of it, and sends it if it was not sent, or if what was sent did not
 * arrive. It always has the same reference, which the provider carries out once. Throws a GatewayError while the outcome
 * is not known.
 */
async function advanceTransfer(reference: string): Promise<void> {
  const [transfer] = await database().select().from(payoutTransfers).where(isTransfer(reference));
  if (transfer?.status !== "pending") return;
  // Before it is sent again, the provider must say that it does not know it.
  if (transfer.sentAt !== null && (await syncTransfer(reference)) !== "unknown") return;
  if (areTransfersOn()) await send(transfer);
}

/**
 * Applies what the provider reports of a transfer. Reads it once more before a payout counts as paid whose transfer had
 * failed: a success that was read before a failure can be applied after it.
 */
async function applyReported(
  reference: string,
  reported: ReportedTransfer,
): Promise<TransferOutcome | null> {
  const outcome = await applyTransfer(reference, reported);
  if (outcome !== "unconfirmed") return outcome;
  const readAgain = await readTransfer(reference);
  if (!readAgain)
    throw new GatewayError(`transfer ${reference} is known and unknown`, {
      problem: "unavailable",
    });
  return await applyTransfer(reference, readAgain, { isReadAgain: true });
}

/**
 * Reads a transfer from the provider and applies what it reports. Returns "unknown" when the provider has no such
 * transfer, and null when we have none. Throws a GatewayError while it cannot be read.
 */
export async function syncTransfer(reference: string): Promise<TransferOutcome | "unknown" | null> {
  const reported = await readTransfer(reference);
  if (reported) return await applyReported(reference, reported);
  const [transfer] = await database()
    .update(payoutTransfers)
    .set({ readAt: now() })
    .where(isTransfer(reference))
    .returning({ reference: payoutTransfers.reference });
  return transfer ? "unknown" : null;
}

/** Returns whether payouts were ever released as transfers. */
export async function haveTransfers(): Promise<boolean> {
  const rows = await database()
    .select({ reference: payoutTransfers.reference })
    .from(payoutTransfers)
    .limit(1);
  return rows.length > 0;
}

async function send({ reference, payoutId, sentAt }: StoredTransfer): Promise<void> {
  const sendingUntil = new Date(now().getTime() + RESERVED_MS);
  const reserved = await reserve(reference, sentAt, sendingUntil);
  if (!reserved) return;
  const isReserved = and(
    isTransfer(reference),
    eq(payoutTransfers.status, "pending"),
    eq(payoutTransfers.sendingUntil, sendingUntil),
  );
  /** Nothing was sent, so that a retry need not wait. */
  const release = () =>
    database().update(payoutTransfers).set({ sentAt, sendingUntil: null }).where(isReserved);
  let payment: Payment;
  let { recipientCode } = reserved;
  try {
    payment = await readPayment(reserved);
    recipientCode ??= await createRecipient(payment.details);
  } catch (error) {
    await release();
    if (!(error instanceof GatewayError) || error.problem !== "refused") throw error;
    await applyTransfer(reference, { refusal: error });
    return;
  }
  const marked = await database()
    .update(payoutTransfers)
    .set({ recipientCode, sentAt: now() })
    .where(isReserved)
    .returning({ reference: payoutTransfers.reference });
  if (marked.length === 0) return;
  try {
    await applyReported(reference, await postTransfer({ ...payment, reference, recipientCode }));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.problem === "unavailable") {
      await release();
      throw error;
    }
    // It may have been carried out: by this request, or by an earlier one.
    if ((await syncTransfer(reference)) !== "unknown") return;
    if (error.problem === "unknown-outcome") throw error;
    // A refusal proves nothing about an earlier request: another key may have sent it.
    if (sentAt === null && !isDuplicateReference(error))
      await applyTransfer(reference, { refusal: error });
    else {
      // Nothing is on its way, so that it can be withdrawn between two attempts.
      await database().update(payoutTransfers).set({ sendingUntil: null }).where(isReserved);
      await alertAboutTransfer(
        payoutId,
        `Paystack refuses transfer ${reference} (${error.message}) and does not know it, although it was sent before. Look for its reference in the dashboard of the account whose key was set then. Only when it is not there, withdraw the payout.`,
      );
    }
  }
}

/** Reserves a transfer for this process and returns it; null when another process has it or has sent it. */
async function reserve(
  reference: string,
  sentAt: Date | null,
  sendingUntil: Date,
): Promise<StoredTransfer | null> {
  const [reserved] = await database()
    .update(payoutTransfers)
    .set({ sendingUntil })
    .where(
      and(
        isTransfer(reference),
        eq(payoutTransfers.status, "pending"),
        sentAt === null ? isNull(payoutTransfers.sentAt) : eq(payoutTransfers.sentAt, sentAt),
        or(isNull(payoutTransfers.sendingUntil), lte(payoutTransfers.sendingUntil, now())),
      ),
    )
    .returning();
  return reserved ?? null;
}

type Payment = Awaited<ReturnType<typeof readPayment>>;

async function readPayment({ reference, exportId, payoutId }: StoredTransfer) {
  const [line] = await database()
    .select()
    .from(paymentExportLines)
    .where(
      and(eq(paymentExportLines.exportId, exportId), eq(paymentExportLines.payoutId, payoutId)),
    );
  if (!line?.encryptedDetails) throw new Error(`transfer ${reference} has no account`);
  return {
    details: decryptExportedDetails(payoutId, line.encryptedDetails),
    amountCents: line.amountCents,
    reason: line.reference,
  };
}
