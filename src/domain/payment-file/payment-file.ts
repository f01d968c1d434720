import { bankservFile } from "./bankserv.ts";
import { columnFile } from "./columns.ts";
import type { PaymentBatch } from "./payment-batch.ts";
import { COLUMN_MAPS, type PaymentFileSettings } from "./settings.ts";

/**
 * Returns the payment file in the format of the bank's import. Only payments are rows: the count
 * and total are in the header, in the trailer record or absent, depending on the format.
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
