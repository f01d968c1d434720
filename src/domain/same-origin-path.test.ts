import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toSameOriginPath } from "./same-origin-path.ts";

const SITE = "https://furlong.example";
const URL_PARTS = [
  ..."/\\.:@?#\t\n ",
  "//",
  "..",
  "%2f",
  "%5c",
  "%2e",
  "http",
  "javascript",
  "evil.example",
];

describe("toSameOriginPath", () => {
  it("returns a path with its query and fragment", () => {
    expect(toSameOriginPath("/my-cards?before=7#top")).toBe("/my-cards?before=7#top");
  });

  it.each([
    null,
    "",
    "my-cards",
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/x/..//evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
  ])("returns the home page for %j", (target) => {
    expect(toSameOriginPath(target)).toBe("/");
  });

  it("never leaves the site for any input", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...URL_PARTS), { maxLength: 9 }),
        fc.string({ unit: "binary", maxLength: 6 }),
        (parts, suffix) => {
          const path = toSameOriginPath(`/${parts.join("")}${suffix}`);
          expect(new URL(path, SITE).origin).toBe(SITE);
          expect(path.startsWith("/")).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
