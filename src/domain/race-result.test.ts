import { describe, expect, it } from "vitest";
import {
  formatDividend,
  formatStartingPrice,
  isFinishingOrder,
  listPositions,
  parseDividend,
  parseFinishingOrder,
  parseStartingPrice,
  standardPlacesPaid,
} from "./race-result.ts";

const order = (...positions: (number | null)[]) =>
  positions.map((position, index) => ({ number: index + 1, position }));

describe("standardPlacesPaid", () => {
  it.each([
    [1, 0],
    [5, 0],
    [6, 2],
    [7, 2],
    [8, 3],
    [15, 3],
    [16, 4],
    [30, 4],
  ])("given %i starters, returns %i places", (starters, places) => {
    expect(standardPlacesPaid(starters)).toBe(places);
  });
});

describe("isFinishingOrder", () => {
  it.each([
    [order(1, 2, 3, null), true],
    [order(1, 1, 3), true],
    [order(1, 1, 1, 4), true],
    [order(1, 2, 2, 4), true],
    [order(), true],
    [order(2, 3), false],
    [order(1, 1, 2), false],
    [order(1, 3), false],
  ])("given %j, returns %s", (runners, expected) => {
    expect(isFinishingOrder(runners)).toBe(expected);
  });
});

describe("listPositions", () => {
  it("groups the numbers of a dead heat and leaves the position after it empty", () => {
    expect(listPositions(order(3, 1, 1, null))).toEqual([[2, 3], [], [1]]);
  });
});

describe("parseStartingPrice", () => {
  it.each([
    ["5/1", "5/1"],
    [" 18-10 ", "18/10"],
    ["18 / 10", "18/10"],
    ["Evens", "evens"],
    ["evs", "evens"],
    ["1/1", "evens"],
    ["2/1F", "2/1"],
    ["EvensF", "evens"],
    ["11/8JF", "11/8"],
    ["7/2 cf", "7/2"],
  ])("reads %j as %s", (text, expected) => {
    const price = parseStartingPrice(text);
    expect(price && formatStartingPrice(price)).toBe(expected);
  });

  it.each(["", "5", "5/0", "0/1", "5.5/1", "a/b", "5/1/2", "12345/1", "F", "5/1X"])(
    "refuses %j",
    (text) => {
      expect(parseStartingPrice(text)).toBeNull();
    },
  );
});

describe("parseDividend", () => {
  it.each([
    ["6.40", 640],
    ["6,4", 640],
    ["R6.40", 640],
    ["12", 1200],
    ["0.05", 5],
  ])("reads %j as %i cents", (text, cents) => {
    expect(parseDividend(text)).toBe(cents);
  });

  it.each(["", "0", "-1", "6.405", "x", "1 000"])("refuses %j", (text) => {
    expect(parseDividend(text)).toBeNull();
  });

  it("returns what formatDividend writes", () => {
    for (const cents of [1, 99, 100, 640, 123_456]) {
      expect(parseDividend(formatDividend(cents))).toBe(cents);
    }
  });
});

describe("parseFinishingOrder", () => {
  it.each([
    ["4 9 7", [[4], [9], [7]]],
    ["4, 9=7,2", [[4], [9, 7], [2]]],
    ["4 = 9 7", [[4, 9], [7]]],
    ["", []],
  ])("reads %j", (text, expected) => {
    expect(parseFinishingOrder(text)).toEqual(expected);
  });

  it.each(["4 x", "=4", "4==9", "400"])("refuses %j", (text) => {
    expect(parseFinishingOrder(text)).toBeNull();
  });
});
