import * as v from "valibot";
import {
  type ColumnMap,
  DATE_FORMATS,
  DELIMITERS,
  formatColumns,
  PAYMENT_FORMATS,
  type PaymentFileSettings,
  parseColumns,
} from "#domain/payment-file/settings.ts";

const digits = (minLength: number, maxLength: number, message: string) =>
  v.pipe(
    v.string(message),
    v.transform((input) => input.replace(/[\s-]/g, "")),
    v.regex(new RegExp(`^(\\d{${minLength},${maxLength}})?$`), message),
  );
const code = v.pipe(
  v.string("Please enter the code"),
  v.trim(),
  v.regex(/^[A-Za-z0-9]{1,12}$/, "A code has 1 to 12 letters or digits"),
);
const checkbox = v.pipe(
  v.optional(v.string(), ""),
  v.transform((input) => input === "on"),
);

/** The payment file settings form. */
export const paymentFileInput = v.pipe(
  v.object({
    format: v.picklist(PAYMENT_FORMATS, "Please choose a format"),
    debitAccount: v.pipe(
      digits(5, 16, "An account number must be 5 to 16 digits long"),
      v.minLength(1, "Please enter the account to debit"),
    ),
    debitBranchCode: digits(6, 6, "A branch code must be 6 digits long"),
    shortName: v.pipe(
      v.string("Please enter the short name"),
      v.trim(),
      v.regex(/^[A-Za-z0-9 ]{1,10}$/, "The short name must be 1 to 10 letters or digits long"),
    ),
    userCode: v.pipe(
      v.string("Please enter the user code"),
      v.trim(),
      v.regex(/^[A-Za-z0-9]{4}$/, "The user code must be 4 letters or digits long"),
    ),
    columns: v.pipe(
      v.string("Please enter the columns"),
      v.maxLength(2000, "The columns must be at most 2000 characters long"),
      v.rawTransform(({ dataset, addIssue, NEVER }): ColumnMap["columns"] => {
        const parsed = parseColumns(dataset.value);
        if (parsed.ok) return parsed.columns;
        addIssue({ message: `Write "Heading = field" on each line: ${parsed.problem}` });
        return NEVER;
      }),
    ),
    delimiter: v.picklist(Object.keys(DELIMITERS) as (keyof typeof DELIMITERS)[], "Please choose"),
    dateFormat: v.picklist(DATE_FORMATS, "Please choose a date format"),
    amountIn: v.picklist(["rand", "cents"], "Please choose rand or cents"),
    cheque: code,
    savings: code,
    transmission: code,
    hasHeader: checkbox,
    hasHeadings: checkbox,
    isForSpreadsheet: checkbox,
    /** When the settings that the form shows were saved; null before the first time. */
    shownSavedAt: v.pipe(
      v.optional(v.string(), ""),
      v.maxLength(30),
      v.transform((input) => (Number.isNaN(Date.parse(input)) ? null : new Date(input))),
    ),
  }),
  v.check(
    (input) => input.format !== "bankserv" || input.debitBranchCode !== "",
    "The Bankserv format needs the branch code of the account to debit",
  ),
);

/** Returns the settings of the form, merged into the previous column map. */
export function toSettings(
  input: v.InferOutput<typeof paymentFileInput>,
  currentSettings: PaymentFileSettings,
): PaymentFileSettings {
  const { format, debitAccount, debitBranchCode, shortName, userCode } = input;
  const { cheque, savings, transmission, columns } = input;
  const { delimiter, dateFormat, amountIn, hasHeader, hasHeadings, isForSpreadsheet } = input;
  return {
    format,
    debitAccount,
    debitBranchCode,
    shortName,
    userCode,
    generic: {
      ...currentSettings.generic,
      columns,
      delimiter,
      dateFormat,
      amountIn,
      hasHeader,
      hasHeadings,
      isForSpreadsheet,
      accountTypes: { cheque, savings, transmission },
    },
  };
}

/** Returns the form values of the settings. */
export function toFormValues(settings: PaymentFileSettings): Record<string, string> {
  const { generic, ...rest } = settings;
  const toCheckboxValue = (isChecked: boolean) => (isChecked ? "on" : "");
  return {
    ...rest,
    ...generic.accountTypes,
    columns: formatColumns(generic.columns),
    delimiter: generic.delimiter,
    dateFormat: generic.dateFormat,
    amountIn: generic.amountIn,
    hasHeader: toCheckboxValue(generic.hasHeader),
    hasHeadings: toCheckboxValue(generic.hasHeadings),
    isForSpreadsheet: toCheckboxValue(generic.isForSpreadsheet),
  };
}
