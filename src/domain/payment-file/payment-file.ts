import { bankservFile } from "./bankserv.ts";
import { columnFile } from "./columns.ts";
import type { PaymentBatch } from "./payment-batch.ts";
import { COLUMN_MAPS, type PaymentFileSettings } from "./settings.ts";

/**
 * The payment file as the bank's import expects it. No row of it but the payments can be taken for a
 * payment: count and total stand in the header, in the trailer record, or nowhere, as the format has it.
 */
export function paymentFile(
  batch: PaymentBatch,
  settings: PaymentFileSettings,
): { extension: "csv" | "txt"; text: string } {
  if (settings.format === "bankserv")
    return { extension: "txt", text: bankservFile(batch, settings) };
  const map = settings.format === "generic" ? settings.generic : COLUMN_MAPS[settings.format];
  return { extension: "csv", text: columnFile(batch, map, settings) };
}
