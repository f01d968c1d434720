import { bankText } from "./bank-text.ts";
import { type Payment, type PaymentBatch, totalOf } from "./payment-batch.ts";
import type { PaymentFileSettings } from "./settings.ts";

// The interbank EFT layout ("ACB", "Bankserv"): records of 180 characters, numbers padded with
// zeros on the left. The sources are in docs/payment-files.md.

const RECORD_LENGTH = 180;
const ACCOUNT_LENGTH = 11;
const ACCOUNT_TYPES = { cheque: "1", savings: "2", transmission: "3" };
/** Payment to a creditor. */
const ENTRY_CLASS = "88";

/**
 * Formats the batch as one user set: header, a credit per payment, the debit of their sum, trailer.
 */
export function bankservFile(batch: PaymentBatch, settings: PaymentFileSettings): string {
  const { payments, actionDate, createdOn, number } = batch;
  const { shortName, userCode, debitAccount, debitBranchCode } = settings;
  const day = shortDay(actionDate);
  const user = digits(userCode, 4);
  const total = totalOf(payments);
  const from = digits(debitBranchCode, 6) + standardAccount(debitAccount) + user;
  const payer = bankText(shortName, 10).toUpperCase().padEnd(10);
  const contraSequence = payments.length + 1;

  const header =
    `04${user}${shortDay(createdOn)}${day}${day}${day}${digits(1, 6)}` +
    `${digits(((number - 1) % 9999) + 1, 4)}${"BATCH".padEnd(10)}YY`;
  const credits = payments.map(
    (payment, index) =>
      `10${from}${digits(index + 1, 6)}${digits(payment.branchCode, 6)}` +
      `${standardAccount(payment.accountNumber)}${ACCOUNT_TYPES[payment.accountType]}` +
      `${digits(payment.amountCents, 11)}${day}${ENTRY_CLASS}0   ` +
      `${payer}${bankText(payment.reference, 20).toUpperCase().padEnd(20)}` +
      `${bankText(payment.holder, 30).toUpperCase().padEnd(30)}` +
      `${longAccount(payment.accountNumber)}${" ".repeat(16)}21`,
  );
  const contra =
    `12${from}${digits(contraSequence, 6)}${digits(debitBranchCode, 6)}` +
    `${standardAccount(debitAccount)}1${digits(total, 11)}${day}100000${payer}CONTRA`;
  const trailer =
    `92${user}${digits(1, 6)}${digits(contraSequence, 6)}${day}${day}${digits(1, 6)}` +
    `${digits(payments.length, 6)}${digits(1, 6)}${digits(total, 12)}${digits(total, 12)}` +
    digits(hashTotal(payments, debitAccount), 12);
  return [header, ...credits, contra, trailer]
    .map((record) => `${record.padEnd(RECORD_LENGTH)}\r\n`)
    .join("");
}

/** Returns the last 12 digits of the sum of all account numbers, including the contra record's. */
function hashTotal(payments: readonly Payment[], debitAccount: string): bigint {
  const accounts = [...payments.map((payment) => payment.accountNumber), debitAccount];
  return accounts.reduce((sum, account) => sum + BigInt(standardAccount(account)), 0n) % 10n ** 12n;
}

/**
 * Formats an account number of up to 11 digits; a longer one is in a separate field and zeros here.
 */
function standardAccount(account: string): string {
  return digits(account.length > ACCOUNT_LENGTH ? 0 : account, ACCOUNT_LENGTH);
}

function longAccount(account: string): string {
  return digits(account.length > ACCOUNT_LENGTH ? account : 0, 20);
}

function digits(number: string | number | bigint, length: number): string {
  return String(number).padStart(length, "0");
}

function shortDay(day: string): string {
  return day.slice(2).replaceAll("-", "");
}
