// The payment file settings of the operator, and the column maps of the supported formats.

export const PAYMENT_FORMATS = ["generic", "absa", "acb-transfers", "bankserv"] as const;
export type PaymentFormat = (typeof PAYMENT_FORMATS)[number];

/** The values a column can contain. */
export const PAYMENT_FIELDS = [
  "recipient name",
  "bank",
  "branch code",
  "account number",
  "account type",
  "amount",
  "action date",
  "recipient reference",
  "own reference",
  "debit account",
  "debit branch code",
  "blank",
] as const;
export type PaymentField = (typeof PAYMENT_FIELDS)[number];

export const DATE_FORMATS = ["YYYY-MM-DD", "YYYYMMDD", "DD/MM/YYYY", "YYMMDD"] as const;
export const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t" } as const;

export type ColumnMap = {
  columns: readonly { heading: string; field: PaymentField }[];
  /**
   * Whether a first line states the file kind, action date, debit account, payment count and total.
   */
  hasHeader: boolean;
  hasHeadings: boolean;
  delimiter: keyof typeof DELIMITERS;
  dateFormat: (typeof DATE_FORMATS)[number];
  /** The unit of amounts: rand with a decimal point, or whole cents. */
  amountIn: "rand" | "cents";
  accountTypes: { cheque: string; savings: string; transmission: string };
  /** The maximum length of a text column. */
  longest: number;
  /**
   * Writes numbers as formulas so that spreadsheets keep their leading zeros. Banks reject such a file,
   * so it is only for viewing.
   */
  isForSpreadsheet: boolean;
};

export type PaymentFileSettings = {
  format: PaymentFormat;
  debitAccount: string;
  debitBranchCode: string;
  /** The payer's name on bank statements, at most 10 characters. */
  shortName: string;
  /** The Bankserv user code assigned by the bank; zeros without one. */
  userCode: string;
  generic: ColumnMap;
};

/** The account type codes of the South African interbank system. */
const ACCOUNT_TYPE_CODES = { cheque: "1", savings: "2", transmission: "3" };

const GENERIC: ColumnMap = {
  columns: [
    { heading: "Recipient name", field: "recipient name" },
    { heading: "Branch code", field: "branch code" },
    { heading: "Account number", field: "account number" },
    { heading: "Account type", field: "account type" },
    { heading: "Amount", field: "amount" },
    { heading: "Action date", field: "action date" },
    { heading: "Recipient reference", field: "recipient reference" },
    { heading: "Own reference", field: "own reference" },
    { heading: "Debit account", field: "debit account" },
  ],
  hasHeader: true,
  hasHeadings: true,
  delimiter: "comma",
  dateFormat: "YYYY-MM-DD",
  amountIn: "rand",
  accountTypes: ACCOUNT_TYPE_CODES,
  longest: 30,
  isForSpreadsheet: false,
};

export const DEFAULT_SETTINGS: PaymentFileSettings = {
  format: "generic",
  debitAccount: "",
  debitBranchCode: "",
  shortName: "FURLONG",
  userCode: "0000",
  generic: GENERIC,
};

/** The documented column maps. The sources are in docs/payment-files.md. */
export const COLUMN_MAPS: Record<Exclude<PaymentFormat, "generic" | "bankserv">, ColumnMap> = {
  absa: {
    ...GENERIC,
    columns: [
      { heading: "", field: "account number" },
      { heading: "", field: "recipient name" },
      { heading: "", field: "branch code" },
      { heading: "", field: "amount" },
      { heading: "", field: "recipient reference" },
    ],
    hasHeader: false,
    hasHeadings: false,
    longest: 30,
  },
  "acb-transfers": {
    ...GENERIC,
    columns: [
      { heading: "No", field: "own reference" },
      { heading: "Name", field: "recipient name" },
      { heading: "Amount", field: "amount" },
      { heading: "Acc No", field: "account number" },
      { heading: "BR Code", field: "branch code" },
      { heading: "Reference", field: "recipient reference" },
    ],
    hasHeader: false,
    longest: 16,
  },
};

/** Formats columns for editing: one per line, "Heading = field". */
export function formatColumns(columns: ColumnMap["columns"]): string {
  return columns.map(({ heading, field }) => `${heading} = ${field}`).join("\n");
}

/**
 * Parses edited columns. Returns a problem for the first line that is not "Heading = field" with a
 * known field, or when the account number, branch code or amount has no column.
 */
export function parseColumns(
  text: string,
): { ok: true; columns: ColumnMap["columns"] } | { ok: false; problem: string } {
  const columns: { heading: string; field: PaymentField }[] = [];
  for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== "")) {
    const separatorIndex = line.lastIndexOf("=");
    const field = line
      .slice(separatorIndex + 1)
      .trim()
      .toLowerCase();
    if (separatorIndex < 0 || !isField(field)) return { ok: false, problem: `"${line.trim()}"` };
    columns.push({ heading: line.slice(0, separatorIndex).trim(), field });
  }
  const missing = (["account number", "branch code", "amount"] as const).find(
    (field) => !columns.some((column) => column.field === field),
  );
  return missing ? { ok: false, problem: `no column for the ${missing}` } : { ok: true, columns };
}

function isField(text: string): text is PaymentField {
  return (PAYMENT_FIELDS as readonly string[]).includes(text);
}
