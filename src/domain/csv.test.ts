import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("separates cells with commas and ends the line with CRLF", () => {
  expect(csvLine(["Kenilworth", 4, "R1 to R8"])).toBe("Kenilworth,4,R1 to R8\r\n");
});

test("quotes cells with commas, quotes or line breaks", () => {
  expect(csvLine(['Mac "Fast", the', "two\nlines"])).toBe('"Mac ""Fast"", the","two\nlines"\r\n');
});

test.each(["=1+1", "+27", "-5", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=HYPERLINK("http://x")'])(
  "escapes the formula %j",
  (text) => {
    expect(csvLine([text])).toMatch(/^"?'/);
  },
);

test("does not escape negative numbers", () => {
  expect(csvLine([-28])).toBe("-28\r\n");
});
