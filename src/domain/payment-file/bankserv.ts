import { toBankText } from "./bank-text.ts";
import { type Payment, type PaymentBatch, sumPayments } from "./payment-batch.ts";
import type { PaymentFileSettings } from "./settings.ts";

// The interbank EFT layout ("ACB", "Bankserv"): records of 180 characters, numbers padded with
// zeros on the left. The sources are in docs/payment-files.md.

const RECORD_LENGTH = 180;
const ACCOUNT_LENGTH = 11;
const ACCOUNT_TYPES = { cheque: "1", savings: "2", transmission: "3" };
/** Payment to a creditor. */
const ENTRY_CLASS = "88";

/**
 * Formats the batch as one user set, which is the part of a file with one payer's payments: a header,
 * one credit per payment, a contra record that debits their sum, and a trailer.
 */
export function formatBankservFile(batch: PaymentBatch, settings: PaymentFileSettings): string {
  const { payments, actionDate, createdOn, number: batchNumber } = batch;
  const { shortName, userCode, debitAccount, debitBranchCode } = settings;
  const actionDay = formatShortDate(actionDate);
  const paddedUserCode = padDigits(userCode, 4);
  const total = sumPayments(payments);
  const debitFields =
    padDigits(debitBranchCode, 6) + formatStandardAccount(debitAccount) + paddedUserCode;
  const payerName = toBankText(shortName, 10).toUpperCase().padEnd(10);
  const contraSequence = payments.length + 1;

  const header =
    `04${paddedUserCode}${formatShortDate(createdOn)}${actionDay}${actionDay}${actionDay}${padDigits(1, 6)}` +
    `${padDigits(((batchNumber - 1) % 9999) + 1, 4)}${"BATCH".padEnd(10)}YY`;
  const credits = payments.map(
    (payment, index) =>
      `10${debitFields}${padDigits(index + 1, 6)}${padDigits(payment.branchCode, 6)}` +
      `${formatStandardAccount(payment.accountNumber)}${ACCOUNT_TYPES[payment.accountType]}` +
      `${padDigits(payment.amountCents, 11)}${actionDay}${ENTRY_CLASS}0   ` +
      `${payerName}${toBankText(payment.reference, 20).toUpperCase().padEnd(20)}` +
      `${toBankText(payment.holder, 30).toUpperCase().padEnd(30)}` +
      `${formatLongAccount(payment.accountNumber)}${" ".repeat(16)}21`,
  );
  const contra =
    `12${debitFields}${padDigits(contraSequence, 6)}${padDigits(debitBranchCode, 6)}` +
    `${formatStandardAccount(debitAccount)}1${padDigits(total, 11)}${actionDay}100000${payerName}CONTRA`;
  const trailer =
    `92${paddedUserCode}${padDigits(1, 6)}${padDigits(contraSequence, 6)}${actionDay}${actionDay}${padDigits(1, 6)}` +
    `${padDigits(payments.length, 6)}${padDigits(1, 6)}${padDigits(total, 12)}${padDigits(total, 12)}` +
    padDigits(computeHashTotal(payments, debitAccount), 12);
  return [header, ...credits, contra, trailer]
    .map((record) => `${record.padEnd(RECORD_LENGTH)}\r\n`)
    .join("");
}

/** Returns the last 12 digits of the sum of all account numbers, including the contra record's. */
function computeHashTotal(payments: readonly Payment[], debitAccount: string): bigint {
  const accounts = [...payments.map((payment) => payment.accountNumber), debitAccount];
  return (
    accounts.reduce((sum, account) => sum + BigInt(formatStandardAccount(account)), 0n) % 10n ** 12n
  );
}

/**
 * Formats an account number of up to 11 digits. Returns zeros for a longer number, which goes in a
 * separate field.
 */
function formatStandardAccount(account: string): string {
  return padDigits(account.length > ACCOUNT_LENGTH ? 0 : account, ACCOUNT_LENGTH);
}

function formatLongAccount(account: string): string {
  return padDigits(account.length > ACCOUNT_LENGTH ? account : 0, 20);
}

function padDigits(number: string | number | bigint, length: number): string {
  return String(number).padStart(length, "0");
}

function formatShortDate(date: string): string {
  return date.slice(2).replaceAll("-", "");
}
