import { describe, expect, it } from "vitest";
import { toBankText } from "./bank-text.ts";
import type { Payment } from "./payment-batch.ts";
import { formatPaymentFile } from "./payment-file.ts";
import {
  COLUMN_MAPS,
  DEFAULT_SETTINGS,
  formatColumns,
  type PaymentFileSettings,
  parseColumns,
} from "./settings.ts";

const SETTINGS: PaymentFileSettings = {
  ...DEFAULT_SETTINGS,
  debitAccount: "0068123456",
  debitBranchCode: "051001",
};

const PAYMENTS: Payment[] = [
  {
    holder: 'Zoë Dube, trading as "Dube\'s"',
    bank: "Standard Bank",
    branchCode: "051001",
    accountNumber: "0012345678",
    accountType: "cheque",
    amountCents: 11_200,
    reference: "FURLONG 1A2B3C4D",
  },
  {
    holder: "=SUM(A1)",
    bank: "Capitec",
    branchCode: "470010",
    accountNumber: "1234567890123",
    accountType: "savings",
    amountCents: 123_456_05,
    reference: "FURLONG 5E6F7A8B",
  },
];

const BATCH = {
  payments: PAYMENTS,
  actionDate: "2026-11-23",
  createdOn: "2026-11-22",
  number: 10_000,
};

const formatLines = (settings: PaymentFileSettings) => {
  const { text } = formatPaymentFile(BATCH, settings);
  expect(text.endsWith("\r\n")).toBe(true);
  return text.slice(0, -2).split("\r\n");
};

describe("generic payment file", () => {
  it("has a header with action date, debit account, count and total, then only payments", () => {
    expect(formatLines(SETTINGS)).toEqual([
      "FURLONG,2026-11-23,0068123456,2,123568.05",
      "Recipient name,Branch code,Account number,Account type,Amount,Action date,Recipient reference,Own reference,Debit account",
      "Zoe Dube trading as Dube s,051001,0012345678,1,112.00,2026-11-23,FURLONG 1A2B3C4D,FURLONG 1A2B3C4D,0068123456",
      "SUM(A1),470010,1234567890123,2,123456.05,2026-11-23,FURLONG 5E6F7A8B,FURLONG 5E6F7A8B,0068123456",
    ]);
  });

  it("uses the configured columns, delimiter, dates, amounts and account type codes", () => {
    const parsed = parseColumns(
      "To = account number\nBranch = Branch code\n = blank\nCents = amount\nOn = action date\nKind = account type",
    );
    if (!parsed.ok) throw new Error(parsed.problem);
    const generic = {
      ...SETTINGS.generic,
      columns: parsed.columns,
      hasHeader: false,
      delimiter: "semicolon" as const,
      dateFormat: "DD/MM/YYYY" as const,
      amountIn: "cents" as const,
      accountTypes: { cheque: "CUR", savings: "SAV", transmission: "TRA" },
    };
    expect(formatLines({ ...SETTINGS, generic })).toEqual([
      "To;Branch;;Cents;On;Kind",
      "0012345678;051001;;11200;23/11/2026;CUR",
      "1234567890123;470010;;12345605;23/11/2026;SAV",
    ]);
  });

  it("protects leading zeros from spreadsheets when isForSpreadsheet is set", () => {
    const generic = { ...SETTINGS.generic, isForSpreadsheet: true };
    expect(formatLines({ ...SETTINGS, generic })[2]).toContain(',="051001",="0012345678",1,');
  });
});

describe("documented formats", () => {
  it("writes Absa files with five columns and no header", () => {
    expect(formatLines({ ...SETTINGS, format: "absa" })).toEqual([
      "0012345678,Zoe Dube trading as Dube s,051001,112.00,FURLONG 1A2B3C4D",
      "1234567890123,SUM(A1),470010,123456.05,FURLONG 5E6F7A8B",
    ]);
  });

  it("writes ACB Transfers files with headings, no total and at most 16 characters per cell", () => {
    const [headings, ...rows] = formatLines({ ...SETTINGS, format: "acb-transfers" });
    expect(headings).toBe("No,Name,Amount,Acc No,BR Code,Reference");
    expect(rows).toEqual([
      "FURLONG 1A2B3C4D,Zoe Dube trading,112.00,0012345678,051001,FURLONG 1A2B3C4D",
      "FURLONG 5E6F7A8B,SUM(A1),123456.05,1234567890123,470010,FURLONG 5E6F7A8B",
    ]);
    for (const cell of rows.flatMap((row) => row.split(",")))
      expect(cell.length).toBeLessThanOrEqual(16);
  });

  it("writes Bankserv files with 180-character records, a contra record and a matching trailer", () => {
    const records = formatLines({ ...SETTINGS, format: "bankserv", userCode: "9534" });
    for (const record of records) expect(record).toHaveLength(180);
    const [header = "", first = "", second = "", contra = "", trailer = ""] = records;
    expect(records).toHaveLength(5);
    expect(header.trimEnd()).toBe("0495342611222611232611232611230000010001BATCH     YY");
    expect(first.trimEnd()).toBe(
      "10051001000681234569534000001051001000123456781000000112002611238" +
        "80   FURLONG   FURLONG 1A2B3C4D    ZOE DUBE TRADING AS DUBE S    " +
        `${"0".repeat(20)}${" ".repeat(16)}21`,
    );
    // An account number of more than 11 digits is in a separate field.
    expect(second.slice(29, 47)).toBe("470010000000000002");
    expect(second.slice(35, 46)).toBe("00000000000");
    expect(second.slice(130, 150)).toBe("00000001234567890123");
    expect(contra.trimEnd()).toBe(
      "12051001000681234569534000003051001000681234561000123568052611231" + "00000FURLONG   CONTRA",
    );
    const hash = 12_345_678 + 0 + 68_123_456;
    expect(trailer.trimEnd()).toBe(
      `929534000001000003261123261123000001000002000001000012356805000012356805${String(hash).padStart(12, "0")}`,
    );
  });
});

describe("columns edited by an admin", () => {
  it("are unchanged after formatting and parsing", () => {
    const { columns } = COLUMN_MAPS["acb-transfers"];
    expect(parseColumns(formatColumns(columns))).toEqual({ ok: true, columns });
  });

  it.each([
    ["Amount", '"Amount"'],
    ["Amount = rand", '"Amount = rand"'],
    ["", "no column for the account number"],
    ["A = account number\nB = branch code", "no column for the amount"],
  ])("refuses %j", (text, problem) => {
    expect(parseColumns(text)).toEqual({ ok: false, problem });
  });
});

describe("toBankText", () => {
  it.each([
    ["Sipho Dube", "Sipho Dube"],
    ["Ångström & Sons (Pty) Ltd", "Angstrom & Sons (Pty) Ltd"],
    ["O’Brien;DROP", "O Brien DROP"],
    ["-=+@ Formula", "Formula"],
    ["a\r\nb,c\td", "a b c d"],
    ["Łukasz Weiß", "Lukasz Weiss"],
    ["Søren Đorđević", "Soren Dordevic"],
    ["Иван", "Ivan"],
    ["\u200b", ""],
    ["", ""],
  ])("converts %j to %j", (text, expected) => {
    expect(toBankText(text, 30)).toBe(expected);
  });

  it("truncates text and removes a trailing space", () => {
    expect(toBankText("Nkosi and Daughters", 10)).toBe("Nkosi and");
  });
});
