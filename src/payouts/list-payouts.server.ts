import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { isId } from "#domain/id.ts";
import { database, pool } from "#platform/database.server.ts";
import {
  addCursor,
  ascending,
  descending,
  isAfterCursor,
  toPage,
} from "#platform/keyset-paging.server.ts";
import { createQueryParts } from "#platform/query-parts.server.ts";
import { calculateBlockedUntil } from "./read-bank-details.server.ts";
import { bankDetails, paymentExportLines, paymentExports, payouts } from "./tables.server.ts";

export const PAYOUT_ORDERS = {
  newest: descending("o.requested_at", "o.id"),
  oldest: ascending("o.requested_at", "o.id"),
  largest: descending("o.amount_cents", "o.id"),
};
export type PayoutOrder = keyof typeof PAYOUT_ORDERS;

/** A payout as shown to admins. */
export type ListedPayout = Payout & {
  /** Amount of its sales that were disputed after the export. */
  disputedCents: number;
  /** Its transfer, if it was released as one; otherwise null. */
  transfer: ListedTransfer | null;
  /** True when the bank has confirmed the account on record. */
  isAccountChecked: boolean;
  /** Until then its payment is refused, because the bank details have changed; otherwise null. */
  blockedUntil: Date | null;
};

/** A transfer as shown to admins. Its status is the one that the provider reported last. */
export type ListedTransfer = {
  reference: string;
  providerStatus: string | null;
  sentAt: string | null;
};

/** Returns a page of payouts for an admin, after the cursor. Filters by status, creators and ids. */
export async function listPayouts({
  isPaid,
  creatorIds,
  payoutIds,
  order = "newest",
  cursor,
  limit = 20,
}: {
  isPaid?: boolean;
  creatorIds?: string[] | null;
  payoutIds?: string[];
  order?: PayoutOrder;
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ payouts: ListedPayout[]; next: string | null }> {
  const query = createQueryParts();
  const { bind, addCondition, where, values } = query;
  const sortOrder = PAYOUT_ORDERS[order];
  if (isPaid !== undefined)
    addCondition(isPaid ? "o.status = 'paid'" : "o.status in ('requested', 'processing')");
  if (creatorIds) addCondition(`o.creator_id = any(${bind(creatorIds)}::uuid[])`);
  if (payoutIds) addCondition(`o.id = any(${bind(payoutIds.filter(isId))}::uuid[])`);
  addCursor(query, sortOrder, cursor, { from: "payouts o", idColumn: "o.id" });
  const { rows } = await pool().query<ListedPayout & { bankDetailsChangedAt: Date | null }>(
    `select o.id, o.creator_id as "creatorId", o.amount_cents as "amountCents", o.status,
       o.requested_at as "requestedAt", o.processing_at as "processingAt", o.paid_at as "paidAt",
       case when o.export_id is not null then l.account_last4 else b.account_last4 end
         as "accountLast4",
       x.created_at as "exportedAt", o.export_id as "exportId", o.removed_cents as "removedCents",
       coalesce((select sum(e.amount_cents) from late_holds h join earnings e on e.sale_id = h.sale_id
         where h.payout_id = o.id and h.ended_at is null), 0)::integer as "disputedCents",
       b.changed_at as "bankDetailsChangedAt", b.checked_at is not null as "isAccountChecked",
       (select json_build_object('reference', t.reference, 'providerStatus', t.provider_status, 'sentAt', t.sent_at)
         from payout_transfers t where t.payout_id = o.id and t.export_id = o.export_id) as transfer
     from payouts o left join bank_details b on b.creator_id = o.creator_id
     left join payment_exports x on x.id = o.export_id
     left join payment_export_lines l on l.export_id = o.export_id and l.payout_id = o.id
     ${where()} order by ${sortOrder.orderBy} limit ${bind(limit + 1)}`,
    values,
  );
  const listed = rows.map(({ bankDetailsChangedAt, ...payout }) => ({
    ...payout,
    blockedUntil: bankDetailsChangedAt && calculateBlockedUntil(bankDetailsChangedAt),
  }));
  const { page, next } = toPage(listed, limit, ({ id }) => id);
  return { payouts: page, next };
}

export type PayoutStatus = "requested" | "processing" | "paid" | "stopped";

/** Statuses of a payout that is not paid yet. */
const OPEN_STATUSES: PayoutStatus[] = ["requested", "processing"];

export type Payout = {
  id: string;
  creatorId: string;
  amountCents: number;
  status: PayoutStatus;
  requestedAt: Date;
  processingAt: Date | null;
  paidAt: Date | null;
  /** Last digits of the account: from the payment file when exported, else from the bank details. */
  accountLast4: string | null;
  /** When its payment file was created; null when not exported. */
  exportedAt: Date | null;
  exportId: string | null;
  /** Amount removed because of disputes, reviews, refunds, lost payments and void races. */
  removedCents: number;
};

/** Returns a page of payouts, newest first, after the cursor; optionally of one creator. */
export async function readPayouts({
  creatorId,
  status,
  cursor,
  limit = 20,
}: {
  creatorId?: string;
  /** 'open' means requested or processing. */
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
      accountLast4: sql<string | null>`case when ${payouts.exportId} is not null
        then ${paymentExportLines.accountLast4} else ${bankDetails.accountLast4} end`,
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
          ? inArray(payouts.status, OPEN_STATUSES)
          : status
            ? eq(payouts.status, status)
            : undefined,
        isAfterCursor(payouts.requestedAt, payouts.id, cursor),
      ),
    )
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { payouts: page, next };
}

/** Returns the number and the sum of all open payouts, by status. */
export async function readOpenPayoutTotals() {
  const rows = await database()
    .select({
      status: payouts.status,
      count: sql<number>`count(*)`.mapWith(Number),
      cents: sql<number>`sum(${payouts.amountCents})`.mapWith(Number),
    })
    .from(payouts)
    .where(inArray(payouts.status, OPEN_STATUSES))
    .groupBy(payouts.status);
  const find = (status: PayoutStatus) => {
    const { count, cents } = rows.find((row) => row.status === status) ?? { count: 0, cents: 0 };
    return { count, cents };
  };
  return { requested: find("requested"), processing: find("processing") };
}

/** Returns the number of open payouts. */
export async function countOpenPayouts(): Promise<number> {
  return await database().$count(payouts, inArray(payouts.status, OPEN_STATUSES));
}
