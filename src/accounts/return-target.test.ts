import { describe, expect, it } from "vitest";
import { resolveReturnTarget } from "./return-target.ts";

describe("return target", () => {
  it("accepts a path of this site and 'buy-coins'", () => {
    expect(resolveReturnTarget("/my-cards?page=2#top")).toBe("/my-cards?page=2#top");
    expect(resolveReturnTarget("buy-coins")).toBe("/?buy-coins");
  });

  it("falls back to '/' for missing, foreign and login paths", () => {
    const invalidTargets = [
      null,
      "",
      "my-cards",
      "//evil.test",
      "/\\evil.test",
      "\\\\evil.test",
      "https://evil.test/",
      "javascript:alert(1)",
      "/\t/evil.test",
      "/logout",
      "/login?mode=register",
    ];
    for (const target of invalidTargets)
      expect(resolveReturnTarget(target), String(target)).toBe("/");
  });
});
