import { describe, expect, it, test } from "vitest";
import { instantAt } from "./calendar.ts";
import { computeMeetingStatuses, computeSettleableAt } from "./race-day.ts";

const DAY = "2026-11-21";
const at = (time: string) => instantAt(DAY, time);

test("returns the off as the first time to settle, or 18:00 when the off is unknown", () => {
  expect(computeSettleableAt(DAY, at("14:05"))).toEqual(at("14:05"));
  expect(computeSettleableAt(DAY, null)).toEqual(at("18:00"));
});

describe("computeMeetingStatuses", () => {
  const meetings = [
    { offTimes: [at("12:00"), at("12:35"), at("16:00")] },
    { offTimes: [at("13:00"), at("17:00")] },
    { offTimes: [at("13:00"), at("18:00")] },
    { offTimes: [at("18:30")] },
    { offTimes: [] },
  ];
  it.each([
    ["11:59", ["next", "upcoming", "upcoming", "upcoming", null]],
    ["12:00", ["racing", "next", "next", "upcoming", null]],
    ["16:10", ["racing", "racing", "racing", "next", null]],
    ["16:11", [null, "racing", "racing", "next", null]],
    ["18:41", [null, null, null, null, null]],
  ])("returns the status of each meeting at %s", (time, expected) => {
    expect(computeMeetingStatuses(meetings, at(time))).toEqual(expected);
  });
});
