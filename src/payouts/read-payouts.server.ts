import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { bankDetails, paymentExportLines, paymentExports, payouts } from "./tables.server.ts";

export type PayoutStatus = "requested" | "processing" | "paid" | "stopped";

/** The states of a payout that is still to be paid. */
const OPEN: PayoutStatus[] = ["requested", "processing"];

export type Payout = {
  id: string;
  creatorId: string;
  amountCents: number;
  status: PayoutStatus;
  requestedAt: Date;
  processingAt: Date | null;
  paidAt: Date | null;
  /** How the account it goes to ends: the one that the payment file named, else the one on record. */
  accountEnding: string | null;
  /** When the latest payment file that names it was made; null while it is not exported. */
  exportedAt: Date | null;
  exportId: string | null;
  /** What was taken out of it because a payment is disputed. */
  removedCents: number;
};

/** Payouts, newest first, from the one after the cursor on: of everybody for the operator, or of one. */
export async function readPayouts({
  creatorId,
  status,
  cursor,
  limit = 20,
}: {
  creatorId?: string;
  /** 'open' is requested or processing. */
  status?: PayoutStatus | "open";
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ payouts: Payout[]; next: string | null }> {
  const rows = await database()
    .select({
      id: payouts.id,
      creatorId: payouts.creatorId,
      amountCents: payouts.amountCents,
      status: payouts.status,
      requestedAt: payouts.requestedAt,
      processingAt: payouts.processingAt,
      paidAt: payouts.paidAt,
      accountEnding: sql<string | null>`case when ${payouts.exportId} is not null
        then ${paymentExportLines.accountEnding} else ${bankDetails.accountEnding} end`,
      exportedAt: paymentExports.createdAt,
      exportId: payouts.exportId,
      removedCents: payouts.removedCents,
    })
    .from(payouts)
    .leftJoin(bankDetails, eq(bankDetails.creatorId, payouts.creatorId))
    .leftJoin(paymentExports, eq(paymentExports.id, payouts.exportId))
    .leftJoin(
      paymentExportLines,
      and(
        eq(paymentExportLines.exportId, payouts.exportId),
        eq(paymentExportLines.payoutId, payouts.id),
      ),
    )
    .where(
      and(
        creatorId ? eq(payouts.creatorId, creatorId) : undefined,
        status === "open"
          ? inArray(payouts.status, OPEN)
          : status
            ? eq(payouts.status, status)
            : undefined,
        cursor && isId(cursor)
          ? sql`(${payouts.requestedAt}, ${payouts.id}) <
              (select p.requested_at, p.id from payouts p where p.id = ${cursor})`
          : undefined,
      ),
    )
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { payouts: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** How many payouts wait for the operator. */
export async function countOpenPayouts(): Promise<number> {
  return await database().$count(payouts, inArray(payouts.status, OPEN));
}
