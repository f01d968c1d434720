import { and, desc, inArray, isNotNull, lt } from "drizzle-orm";
import type { CalendarDate } from "#domain/calendar.ts";
import { database } from "#platform/database.server.ts";
import { isAfterCursor, toPage } from "#platform/keyset-paging.server.ts";
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
    .where(isAfterCursor(paymentExports.createdAt, paymentExports.id, cursor))
    .orderBy(desc(paymentExports.createdAt), desc(paymentExports.id))
    .limit(limit + 1);
  const { page, next } = toPage(rows, limit, ({ id }) => id);
  return { exports: page, next };
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
