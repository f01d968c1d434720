import { describe, expect, it } from "vitest";
import { returnTarget } from "./return-target.ts";

describe("where one goes on to after signing in", () => {
  it("is where one came from, or to the coins", () => {
    expect(returnTarget("/my-cards?page=2#top")).toBe("/my-cards?page=2#top");
    expect(returnTarget("buy-coins")).toBe("/?buy-coins");
  });

  it("is home where nothing, or nothing of ours, was named", () => {
    const others = [
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
    for (const wanted of others) expect(returnTarget(wanted), String(wanted)).toBe("/");
  });
});
