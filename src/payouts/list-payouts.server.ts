import { isId } from "#domain/id.ts";
import { pool } from "#platform/database.server.ts";
import { queryParts } from "#platform/query-parts.server.ts";
import type { Payout } from "./read-payouts.server.ts";

export const PAYOUT_ORDERS = {
  newest: { by: "o.requested_at desc, o.id desc", key: "requested_at, id", after: "<" },
  oldest: { by: "o.requested_at, o.id", key: "requested_at, id", after: ">" },
  largest: { by: "o.amount_cents desc, o.id desc", key: "amount_cents, id", after: "<" },
} as const;
export type PayoutOrder = keyof typeof PAYOUT_ORDERS;

/** A payout as the operator sees it. */
export type ListedPayout = Payout & {
  /** What it contains of sales whose payment was disputed after the payment file had been made. */
  disputedCents: number;
};

/** Payouts for the operator, from the one after the cursor on: in progress or paid, of certain creators, or certain ones. */
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
  const { place, meet, where, values } = queryParts();
  const { by, key, after } = PAYOUT_ORDERS[order];
  if (isPaid !== undefined)
    meet(isPaid ? "o.status = 'paid'" : "o.status in ('requested', 'processing')");
  if (creatorIds) meet(`o.creator_id = any(${place(creatorIds)}::uuid[])`);
  if (payoutIds) meet(`o.id = any(${place(payoutIds.filter(isId))}::uuid[])`);
  if (cursor && isId(cursor))
    meet(
      `(${by.replaceAll(" desc", "")}) ${after} (select ${key} from payouts where id = ${place(cursor)})`,
    );
  const { rows } = await pool().query<ListedPayout>(
    `select o.id, o.creator_id as "creatorId", o.amount_cents as "amountCents", o.status,
       o.requested_at as "requestedAt", o.processing_at as "processingAt", o.paid_at as "paidAt",
       case when o.export_id is not null then l.account_ending else b.account_ending end
         as "accountEnding",
       x.created_at as "exportedAt", o.export_id as "exportId", o.removed_cents as "removedCents",
       coalesce((select sum(e.amount_cents) from late_holds h join earnings e on e.sale_id = h.sale_id
         where h.payout_id = o.id and h.ended_at is null), 0)::integer as "disputedCents"
     from payouts o left join bank_details b on b.creator_id = o.creator_id
     left join payment_exports x on x.id = o.export_id
     left join payment_export_lines l on l.export_id = o.export_id and l.payout_id = o.id
     ${where()} order by ${by} limit ${place(limit + 1)}`,
    values,
  );
  const payouts = rows.slice(0, limit);
  return { payouts, next: rows.length > limit ? (payouts.at(-1)?.id ?? null) : null };
}
