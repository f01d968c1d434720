import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("a line is divided by commas and ends as spreadsheets expect", () => {
  expect(csvLine(["Kenilworth", 4, "R1 to R8"])).toBe("Kenilworth,4,R1 to R8\r\n");
});

test("commas, quotes and line breaks stay within their cell", () => {
  expect(csvLine(['Mac "Fast", the', "two\nlines"])).toBe('"Mac ""Fast"", the","two\nlines"\r\n');
});

test.each(["=1+1", "+27", "-5", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=HYPERLINK("http://x")'])(
  "%j is kept from being run as a formula",
  (text) => {
    expect(csvLine([text])).toMatch(/^"?'/);
  },
);

test("a number that is ours stays a number", () => {
  expect(csvLine([-28])).toBe("-28\r\n");
});
