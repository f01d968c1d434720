import { and, inArray, isNotNull, lt } from "drizzle-orm";
import { database } from "#platform/database.server.ts";
import { paymentExportLines, paymentExports } from "./tables.server.ts";

/** Clears the account details that payment files made before an instant named; amounts and references stay. */
export async function forgetOldExportedDetails(before: Date): Promise<void> {
  await database()
    .update(paymentExportLines)
    .set({ sealed: null })
    .where(
      and(
        isNotNull(paymentExportLines.sealed),
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
