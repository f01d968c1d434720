import { toBankText } from "./bank-text.ts";
import { type Payment, type PaymentBatch, sumPayments } from "./payment-batch.ts";
import {
  type ColumnMap,
  DELIMITERS,
  type PaymentField,
  type PaymentFileSettings,
} from "./settings.ts";

/** Formats the batch as delimited columns. */
export function formatColumnFile(
  { payments, actionDate }: PaymentBatch,
  columnMap: ColumnMap,
  { debitAccount, debitBranchCode }: PaymentFileSettings,
): string {
  const formatLine = (cells: readonly string[]) =>
    `${cells.join(DELIMITERS[columnMap.delimiter])}\r\n`;
  const date = formatDate(actionDate, columnMap.dateFormat);
  const formatAmount = (cents: number) =>
    columnMap.amountIn === "cents" ? String(cents) : (cents / 100).toFixed(2);
  const formatDigits = (number: string) => (columnMap.isForSpreadsheet ? `="${number}"` : number);
  const formatCells = (payment: Payment): Record<PaymentField, string> => ({
    "recipient name": toBankText(payment.holder, columnMap.longest),
    bank: toBankText(payment.bank, columnMap.longest),
    "branch code": formatDigits(payment.branchCode),
    "account number": formatDigits(payment.accountNumber),
    "account type": columnMap.accountTypes[payment.accountType],
    amount: formatAmount(payment.amountCents),
    "action date": date,
    "recipient reference": toBankText(payment.reference, columnMap.longest),
    "own reference": toBankText(payment.reference, columnMap.longest),
    "debit account": formatDigits(debitAccount),
    "debit branch code": formatDigits(debitBranchCode),
    blank: "",
  });
  const header = ["FURLONG", date, formatDigits(debitAccount), String(payments.length)];
  return [
    ...(columnMap.hasHeader ? [formatLine([...header, formatAmount(sumPayments(payments))])] : []),
    ...(columnMap.hasHeadings
      ? [formatLine(columnMap.columns.map((column) => column.heading))]
      : []),
    ...payments.map((payment) => {
      const cells = formatCells(payment);
      return formatLine(columnMap.columns.map((column) => cells[column.field]));
    }),
  ].join("");
}

function formatDate(day: string, format: ColumnMap["dateFormat"]): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return format
    .replace("YYYY", year)
    .replace("YY", year.slice(2))
    .replace("MM", month)
    .replace("DD", date);
}
