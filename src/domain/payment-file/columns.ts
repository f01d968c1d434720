import { bankText } from "./bank-text.ts";
import { type Payment, type PaymentBatch, totalOf } from "./payment-batch.ts";
import {
  type ColumnMap,
  DELIMITERS,
  type PaymentField,
  type PaymentFileSettings,
} from "./settings.ts";

/** Formats the batch as delimited columns. */
export function columnFile(
  { payments, actionDate }: PaymentBatch,
  map: ColumnMap,
  { debitAccount, debitBranchCode }: PaymentFileSettings,
): string {
  const line = (cells: readonly string[]) => `${cells.join(DELIMITERS[map.delimiter])}\r\n`;
  const date = formatDay(actionDate, map.dateFormat);
  const amount = (cents: number) =>
    map.amountIn === "cents" ? String(cents) : (cents / 100).toFixed(2);
  const digits = (number: string) => (map.isForSpreadsheet ? `="${number}"` : number);
  const cell = (payment: Payment): Record<PaymentField, string> => ({
    "recipient name": bankText(payment.holder, map.longest),
    bank: bankText(payment.bank, map.longest),
    "branch code": digits(payment.branchCode),
    "account number": digits(payment.accountNumber),
    "account type": map.accountTypes[payment.accountType],
    amount: amount(payment.amountCents),
    "action date": date,
    "recipient reference": bankText(payment.reference, map.longest),
    "own reference": bankText(payment.reference, map.longest),
    "debit account": digits(debitAccount),
    "debit branch code": digits(debitBranchCode),
    blank: "",
  });
  const header = ["FURLONG", date, digits(debitAccount), String(payments.length)];
  return [
    ...(map.hasHeader ? [line([...header, amount(totalOf(payments))])] : []),
    ...(map.hasHeadings ? [line(map.columns.map((column) => column.heading))] : []),
    ...payments.map((payment) => {
      const cells = cell(payment);
      return line(map.columns.map((column) => cells[column.field]));
    }),
  ].join("");
}

function formatDay(day: string, format: ColumnMap["dateFormat"]): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return format
    .replace("YYYY", year)
    .replace("YY", year.slice(2))
    .replace("MM", month)
    .replace("DD", date);
}
