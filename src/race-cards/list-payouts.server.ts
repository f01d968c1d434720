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

/** Payouts for the operator, from the one after the cursor on: under way or paid, of certain creators, or certain ones. */
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
} = {}): Promise<{ payouts: Payout[]; next: string | null }> {
  const { place, meet, where, values } = queryParts();
  const { by, key, after } = PAYOUT_ORDERS[order];
  if (isPaid !== undefined) meet(`o.status ${isPaid ? "=" : "<>"} 'paid'`);
  if (creatorIds) meet(`o.creator_id = any(${place(creatorIds)}::uuid[])`);
  if (payoutIds) meet(`o.id = any(${place(payoutIds.filter(isId))}::uuid[])`);
  if (cursor && isId(cursor))
    meet(
      `(${by.replaceAll(" desc", "")}) ${after} (select ${key} from payouts where id = ${place(cursor)})`,
    );
  const { rows } = await pool().query<Payout>(
    `select o.id, o.creator_id as "creatorId", o.amount_cents as "amountCents", o.status,
       o.requested_at as "requestedAt", o.processing_at as "processingAt", o.paid_at as "paidAt",
       b.account_ending as "accountEnding"
     from payouts o left join bank_details b on b.creator_id = o.creator_id
     ${where()} order by ${by} limit ${place(limit + 1)}`,
    values,
  );
  const payouts = rows.slice(0, limit);
  return { payouts, next: rows.length > limit ? (payouts.at(-1)?.id ?? null) : null };
}
