import { sql } from "drizzle-orm";
import { dateAt } from "#domain/calendar.ts";
import { formatCents } from "#domain/format-cents.ts";
import { isId } from "#domain/id.ts";
import { raiseAlert } from "#platform/alerts.server.ts";
import { now } from "#platform/clock.server.ts";
import { database, transaction } from "#platform/database.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import { enqueue } from "#platform/queue.server.ts";
import {
  type ExportPayoutsResult,
  exportPayoutsIn,
  TRANSFER_FORMAT,
} from "../export-payouts.server.ts";
import { payoutTransfers } from "../tables.server.ts";
import { areTransfersOn, readBalanceCents } from "./paystack.server.ts";
import { readFailedTransfersAgain } from "./read-failed-transfers.server.ts";
import { sendTransfer } from "./send-transfer.server.ts";

export type ReleaseTransfersResult =
  | { ok: true; payments: number; totalCents: number }
  | { ok: false; refusal: "transfers-off" }
  | { ok: false; refusal: "balance-too-low"; neededCents: number; balanceCents: number }
  | Extract<ExportPayoutsResult, { ok: false }>;

/**
 * Releases payouts as transfers, for an admin: locks their amounts and accounts as a payment file does, and gives each
 * its reference, before anything is sent. All are released or none; the admin's own payout is left out. Refuses payouts
 * that are in a payment file or released already, and accounts that were not checked.
 *
 * First reads earlier transfers of these payouts again, and the balance, which must cover them all.
 */
export async function releaseTransfers(
  actorId: string,
  chosenIds: readonly string[],
): Promise<ReleaseTransfersResult> {
  if (!areTransfersOn()) return { ok: false, refusal: "transfers-off" };
  const payoutIds = chosenIds.filter(isId);
  const creatorIds = await readFailedTransfersAgain(payoutIds);
  if (creatorIds.length > 0) return { ok: false, refusal: "unreachable", creatorIds };
  try {
    const neededCents = await sumCentsToSend(actorId, payoutIds);
    const balanceCents = await readBalanceCents();
    if (balanceCents < neededCents) {
      await alertAboutBalance(neededCents, balanceCents);
      return { ok: false, refusal: "balance-too-low", neededCents, balanceCents };
    }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { ok: false, refusal: "unreachable", creatorIds: [] };
  }
  return await transaction(async (tx): Promise<ReleaseTransfersResult> => {
    const result = await exportPayoutsIn(tx, actorId, {
      payoutIds,
      format: TRANSFER_FORMAT,
      actionDate: dateAt(now()),
    });
    if (!result.ok) return result;
    const { id: exportId, lines, totalCents } = result.export;
    const transfers = await tx
      .insert(payoutTransfers)
      .values(
        lines.map(({ payoutId }) => ({ payoutId, exportId, createdAt: now(), changedAt: now() })),
      )
      .returning({ reference: payoutTransfers.reference });
    for (const { reference } of transfers) await enqueue(tx, sendTransfer, { reference });
    return { ok: true, payments: lines.length, totalCents };
  });
}

/** Returns the amount of these payouts, and of released ones that have not been sent and still take from the balance. */
async function sumCentsToSend(actorId: string, payoutIds: readonly string[]): Promise<number> {
  const { rows } = await database().execute<{ cents: number }>(sql`
    select coalesce(sum(o.amount_cents), 0)::bigint as cents from payouts o
    where (o.id = any (${sql.param(payoutIds)}::uuid[]) and o.creator_id <> ${actorId} and o.export_id is null)
      or o.id in (select t.payout_id from payout_transfers t where t.status = 'pending' and t.sent_at is null)`);
  return Number(rows[0]?.cents);
}

/** Alerts the operator that the balance at the provider must be topped up before payouts can be sent. */
export async function alertAboutBalance(neededCents: number, balanceCents: number): Promise<void> {
  await raiseAlert({
    kind: "transfer-balance-low",
    subject: "paystack",
    message: `The Paystack balance of ${formatCents(balanceCents)} does not cover ${formatCents(neededCents)} of payouts. Top it up, then send the transfers again.`,
  });
}
