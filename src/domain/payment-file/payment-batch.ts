import type { CalendarDate } from "../calendar.ts";

/** One transfer in a payment file. */
export type Payment = {
  holder: string;
  bank: string;
  branchCode: string;
  accountNumber: string;
  accountType: "cheque" | "savings" | "transmission";
  amountCents: number;
  /** The reference on both bank statements; at most 16 characters. */
  reference: string;
};

export type PaymentBatch = {
  payments: readonly Payment[];
  actionDate: CalendarDate;
  createdOn: CalendarDate;
  /** The generation number of the file, from 1; some formats include it. */
  number: number;
};

export function sumPayments(payments: readonly Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.amountCents, 0);
}
