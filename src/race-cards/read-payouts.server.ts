import { and, desc, eq, ne, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { bankDetails, payouts } from "./tables.server.ts";

export type PayoutStatus = "requested" | "processing" | "paid";

export type Payout = {
  id: string;
  creatorId: string;
  amountCents: number;
  status: PayoutStatus;
  requestedAt: Date;
  processingAt: Date | null;
  paidAt: Date | null;
  /** How the account it goes to ends, as things stand. */
  accountEnding: string | null;
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
      accountEnding: bankDetails.accountEnding,
    })
    .from(payouts)
    .leftJoin(bankDetails, eq(bankDetails.creatorId, payouts.creatorId))
    .where(
      and(
        creatorId ? eq(payouts.creatorId, creatorId) : undefined,
        status === "open"
          ? ne(payouts.status, "paid")
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
  return await database().$count(payouts, ne(payouts.status, "paid"));
}
