import { describe, expect, it } from "vitest";
import { MAX_SEARCH_LENGTH, parseSearch } from "./search-query.ts";

describe("the search text", () => {
  it.each([
    [null, "", "empty"],
    [" \t\u0000\u202e ", "", "empty"],
    ["  Cape \t\n\u00a0 Doctor ", "Cape Doctor", "searchable"],
    ["Cape\u0000Doc\u202etor", "Cape Doc tor", "searchable"],
    ["El Nin\u0303o", "El Ni\u00f1o", "searchable"],
    ["ab", "ab", "too-short"],
    ["a-b", "a-b", "too-short"],
    ["%%%%", "%%%%", "too-short"],
    ["abc", "abc", "searchable"],
    ["é1x", "é1x", "searchable"],
    ["\ud800xyz", "xyz", "searchable"],
    ["x".repeat(MAX_SEARCH_LENGTH), "x".repeat(MAX_SEARCH_LENGTH), "searchable"],
    ["x".repeat(MAX_SEARCH_LENGTH + 1), "", "too-long"],
    [" ".repeat(501), "", "too-long"],
  ])("for the parameter %j is %j: %s", (parameter, text, state) =>
    expect(parseSearch(parameter)).toEqual({ text, state }),
  );
});
