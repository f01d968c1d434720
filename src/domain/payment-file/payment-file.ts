import { formatBankservFile } from "./bankserv.ts";
import { formatColumnFile } from "./columns.ts";
import type { PaymentBatch } from "./payment-batch.ts";
import { COLUMN_MAPS, type PaymentFileSettings } from "./settings.ts";

/**
 * Returns the payment file in the format of the bank's import. Only payments are rows: the count
 * and total are in the header, in the trailer record or absent, depending on the format.
 */
export function formatPaymentFile(
  batch: PaymentBatch,
  settings: PaymentFileSettings,
): { extension: "csv" | "txt"; text: string } {
  if (settings.format === "bankserv")
    return { extension: "txt", text: formatBankservFile(batch, settings) };
  const columnMap = settings.format === "generic" ? settings.generic : COLUMN_MAPS[settings.format];
  return { extension: "csv", text: formatColumnFile(batch, columnMap, settings) };
}
