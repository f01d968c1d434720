import * as v from "valibot";
import { hasControlCharacters } from "#domain/control-characters.ts";
import { toBankText } from "#domain/payment-file/bank-text.ts";

export const ACCOUNT_TYPES = ["cheque", "savings", "transmission"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** The larger banks with their universal branch codes. */
export const BANKS: readonly { name: string; branchCode: string }[] = [
  { name: "Absa", branchCode: "632005" },
  { name: "African Bank", branchCode: "430000" },
  { name: "Bidvest Bank", branchCode: "462005" },
  { name: "Capitec", branchCode: "470010" },
  { name: "Discovery Bank", branchCode: "679000" },
  { name: "FNB", branchCode: "250655" },
  { name: "Investec", branchCode: "580105" },
  { name: "Nedbank", branchCode: "198765" },
  { name: "Standard Bank", branchCode: "051001" },
  { name: "TymeBank", branchCode: "678910" },
];

const text = (message: string, maxLength: number) =>
  v.pipe(
    v.string(message),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(maxLength, `Please use ${maxLength} characters or fewer`),
    v.check(
      (input) => !hasControlCharacters(input),
      "Please remove line breaks and invisible characters",
    ),
  );

/** Digits, optionally separated by spaces or dashes. */
const digits = (minLength: number, maxLength: number, message: string) =>
  v.pipe(
    v.string(message),
    v.transform((input) => input.replace(/[\s-]/g, "")),
    v.regex(new RegExp(`^\\d{${minLength},${maxLength}}$`), message),
  );

const MAX_HOLDER_LENGTH = 120;

/** The bank details form. The server verifies the password. */
export const bankDetailsInput = v.object({
  holder: v.pipe(
    text("Please enter the account holder's name", MAX_HOLDER_LENGTH),
    v.check(
      // Runs for a text that is too long as well, and normalising takes quadratic time.
      (input) => input.length > MAX_HOLDER_LENGTH || toBankText(input, MAX_HOLDER_LENGTH) !== "",
      "Please write the account holder's name in Latin letters",
    ),
  ),
  bank: text("Please enter the bank", 80),
  branchCode: digits(6, 6, "Branch code must have 6 digits"),
  accountNumber: digits(5, 16, "Account number must have 5 to 16 digits"),
  accountType: v.picklist(ACCOUNT_TYPES, "Please choose an account type"),
  password: v.pipe(
    v.string("Please enter your password"),
    v.nonEmpty("Please enter your password"),
    v.maxLength(128, "Please enter your password"),
  ),
});

export type BankDetailsInput = v.InferOutput<typeof bankDetailsInput>;

/** Full bank details of a creator. */
export type BankDetails = Omit<BankDetailsInput, "password">;

/**
 * Returns true if stored details can be used in a payment file. Details stored before control characters were
 * rejected may contain some; their creator must enter them again.
 */
export function areBankDetailsUsable(details: BankDetails): boolean {
  const { holder, bank } = details;
  return (
    // Checked separately, because the schema trims its input but the file uses the stored text.
    !hasControlCharacters(holder + bank) &&
    v.safeParse(v.omit(bankDetailsInput, ["password"]), details).success
  );
}
