import type { CalendarDate } from "../calendar.ts";

/** What a payment file tells the bank: one line for each transfer. */
export type Payment = {
  holder: string;
  bank: string;
  branchCode: string;
  accountNumber: string;
  accountType: "cheque" | "savings" | "transmission";
  amountCents: number;
  /** What both bank statements say; at most 16 characters. */
  reference: string;
};

export type PaymentBatch = {
  payments: readonly Payment[];
  actionDate: CalendarDate;
  createdOn: CalendarDate;
  /** Which file it is, counted from 1: formats with a generation number carry it. */
  number: number;
};

/** The sum of a batch in cents. */
export function totalOf(payments: readonly Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.amountCents, 0);
}
