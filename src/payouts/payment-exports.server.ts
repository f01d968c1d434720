import { and, desc, inArray, isNotNull, lt, sql } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { isId } from "#domain/id.ts";
import { database } from "#platform/database.server.ts";
import { paymentExportLines, paymentExports } from "./tables.server.ts";

export type PaymentExport = {
  id: string;
  createdAt: Date;
  createdBy: string | null;
  format: string;
  actionDate: CalendarDate | null;
  payments: number;
  totalCents: number;
};

/** Returns a page of payment files, newest first, after the cursor. */
export async function listPaymentExports({
  cursor,
  limit = 20,
}: {
  cursor?: string | null;
  limit?: number;
} = {}): Promise<{ exports: PaymentExport[]; next: string | null }> {
  const rows = await database()
    .select()
    .from(paymentExports)
    .where(
      cursor && isId(cursor)
        ? sql`(${paymentExports.createdAt}, ${paymentExports.id}) <
            (select x.created_at, x.id from payment_exports x where x.id = ${cursor})`
        : undefined,
    )
    .orderBy(desc(paymentExports.createdAt), desc(paymentExports.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { exports: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Deletes bank details of payment files created before an instant; amounts and references stay. */
export async function deleteOldExportedDetails(before: Date): Promise<void> {
  await database()
    .update(paymentExportLines)
    .set({ encryptedDetails: null })
    .where(
      and(
        isNotNull(paymentExportLines.encryptedDetails),
        inArray(
          paymentExportLines.exportId,
          database()
            .select({ id: paymentExports.id })
            .from(paymentExports)
            .where(lt(paymentExports.createdAt, before)),
        ),
      ),
    );
}
