import { expect, test } from "vitest";
import { formatCsvLine } from "./csv.ts";

test("separates cells with commas and ends the line with CRLF", () => {
  expect(formatCsvLine(["Kenilworth", 4, "R1 to R8"])).toBe("Kenilworth,4,R1 to R8\r\n");
});

test("quotes cells with commas, quotes or line breaks", () => {
  expect(formatCsvLine(['Mac "Fast", the', "two\nlines"])).toBe(
    '"Mac ""Fast"", the","two\nlines"\r\n',
  );
});

test.each([
  "=1+1",
  "+27",
  "-5",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\tx",
  "\rx",
  "  =1",
  '=HYPERLINK("http://x")',
])("escapes the formula %j", (text) => {
  expect(formatCsvLine([text])).toMatch(/^"?'/);
});

test("does not escape negative numbers", () => {
  expect(formatCsvLine([-28])).toBe("-28\r\n");
});
