import { describe, expect, it } from "vitest";
import { hasControlCharacters } from "./control-characters.ts";

describe("hasControlCharacters", () => {
  it.each([
    ["a line feed", "Sipho\nDube"],
    ["a carriage return", "Sipho\rDube"],
    ["a tab", "Sipho\tDube"],
    ["a null character", "Sipho\u0000"],
    ["a next-line character", "Sipho\u0085Dube"],
    ["a line separator", "Sipho\u2028Dube"],
    ["a paragraph separator", "Sipho\u2029Dube"],
    ["a right-to-left override", "Sipho\u202eDube"],
    ["a zero-width space", "Sipho\u200bDube"],
    ["a delete character", "Sipho\u007f"],
  ])("returns true for %s", (_, text) => {
    expect(hasControlCharacters(text)).toBe(true);
  });

  it.each(["", "Sipho Dube", "Zoë O’Brien-Müller (Pty) Ltd", "A, B & C", "Ångström 2"])(
    "returns false for %j",
    (text) => {
      expect(hasControlCharacters(text)).toBe(false);
    },
  );
});
