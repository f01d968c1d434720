import * as v from "valibot";
import { env } from "#platform/env.server.ts";
import { GatewayError } from "#platform/gateway-error.ts";
import {
  get,
  isUnknownTransfer,
  PaystackRefusal,
  parseAnswer,
  post,
} from "#platform/paystack-api.server.ts";
import type { BankDetails } from "../bank-details.input.ts";
import type { IdentityDocument } from "./identity-document.input.ts";

// The calls of Paystack that move payouts. Amounts are cents; the currency is always given, because Paystack's default
// is another one.

/** Returns whether payouts are paid by transfers. */
export function areTransfersOn(): boolean {
  return env().payoutProvider === "paystack";
}

const cents = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d+$/))]),
  v.transform(Number),
  v.safeInteger(),
);

const accountSchema = v.object({
  verified: v.boolean(),
  accountHolderMatch: v.nullish(v.boolean()),
  accountAcceptsCredits: v.nullish(v.boolean()),
  accountOpen: v.nullish(v.boolean()),
});

/** What the bank says about an account. "unknown": it was not asked or gave no answer that can be used. */
export type AccountCheck = "confirmed" | "other-holder" | "refuses-payments" | "unknown";

/**
 * Asks the bank whether the account belongs to its holder and accepts payments. The number of the document is sent and
 * not kept: neither the result nor any error or log entry contains it.
 */
export async function checkAccount(
  { holder, branchCode, accountNumber }: BankDetails,
  { documentType, documentNumber }: IdentityDocument,
): Promise<AccountCheck> {
  try {
    const data = await post("/bank/validate", {
      bank_code: branchCode,
      country_code: "ZA",
      account_number: accountNumber,
      account_name: holder,
      account_type: documentType === "businessRegistrationNumber" ? "business" : "personal",
      document_type: documentType,
      document_number: documentNumber,
    });
    const account = parseAnswer(accountSchema, data, "unavailable");
    if (account.accountOpen === false || account.accountAcceptsCredits === false)
      return "refuses-payments";
    if (account.accountHolderMatch === false) return "other-holder";
    return account.verified && account.accountHolderMatch && account.accountAcceptsCredits
      ? "confirmed"
      : "unknown";
  } catch (error) {
    if (error instanceof GatewayError) return "unknown";
    throw error;
  }
}

/** Returns the code of the account at Paystack. The same account has the same code. */
export async function createRecipient(details: BankDetails): Promise<string> {
  const data = await post("/transferrecipient", {
    type: "basa",
    name: details.holder,
    account_number: details.accountNumber,
    bank_code: details.branchCode,
    currency: "ZAR",
  });
  const schema = v.object({ recipient_code: v.pipe(v.string(), v.nonEmpty()) });
  return parseAnswer(schema, data, "unavailable").recipient_code;
}

const transferSchema = v.object({
  reference: v.string(),
  status: v.string(),
  amount: cents,
  currency: v.string(),
});
/** A transfer as Paystack reports it. */
export type ReportedTransfer = v.InferOutput<typeof transferSchema>;

/** Sends a transfer. Paystack carries out a reference once and refuses it afterwards. */
export async function postTransfer({
  reference,
  amountCents,
  recipientCode,
  reason,
}: {
  reference: string;
  amountCents: number;
  recipientCode: string;
  /** Appears on the recipient's bank statement. */
  reason: string;
}): Promise<ReportedTransfer> {
  const data = await post("/transfer", {
    source: "balance",
    amount: amountCents,
    currency: "ZAR",
    recipient: recipientCode,
    reference,
    reason,
  });
  return parseAnswer(transferSchema, data, "unknown-outcome");
}

/** Returns the transfer with this reference; null when Paystack says that it has none. */
export async function readTransfer(reference: string): Promise<ReportedTransfer | null> {
  try {
    const data = await get(`/transfer/verify/${reference}`);
    return parseAnswer(transferSchema, data, "unavailable");
  } catch (error) {
    if (isUnknownTransfer(error)) return null;
    throw error;
  }
}

const FAILED = ["failed", "abandoned", "blocked", "rejected"];
/** The reported statuses after which a transfer changes only when the bank sends it back or the provider corrects itself. */
export const FINAL_STATUSES = [...FAILED, "success", "reversed"];

/** Returns what a reported status means. Any status that is not known to be final leaves the transfer in progress. */
export function toTransferStatus(status: string): "pending" | "paid" | "failed" | "returned" {
  if (status === "success") return "paid";
  if (status === "reversed") return "returned";
  return FAILED.includes(status) ? "failed" : "pending";
}

/** Returns whether nothing is paid by a transfer with this reported status: it failed or came back. */
export function hasEndedUnpaid(status: string): boolean {
  return ["failed", "returned"].includes(toTransferStatus(status));
}

/** Returns whether Paystack refused a transfer because the balance is too low. */
export function isBalanceTooLow(error: GatewayError): boolean {
  return (
    error instanceof PaystackRefusal &&
    (error.code === "insufficient_balance" || /balance/i.test(error.message))
  );
}

/** Returns the balance from which transfers are paid. */
export async function readBalanceCents(): Promise<number> {
  const schema = v.array(v.object({ currency: v.string(), balance: cents }));
  const balances = parseAnswer(schema, await get("/balance"), "unavailable");
  return balances.find(({ currency }) => currency === "ZAR")?.balance ?? 0;
}
