import { describe, expect, it, test } from "vitest";
import { instantAt } from "./calendar.ts";
import { meetingStatuses, settleableFrom } from "./race-day.ts";

const DAY = "2026-11-21";
const at = (time: string) => instantAt(DAY, time);

test("allows settling from the off, or from 18:00 when it is unknown", () => {
  expect(settleableFrom(DAY, at("14:05"))).toEqual(at("14:05"));
  expect(settleableFrom(DAY, null)).toEqual(at("18:00"));
});

describe("meetingStatuses", () => {
  const meetings = [
    { offs: [at("12:00"), at("12:35"), at("16:00")] },
    { offs: [at("13:00"), at("17:00")] },
    { offs: [at("13:00"), at("18:00")] },
    { offs: [at("18:30")] },
    { offs: [] },
  ];
  it.each([
    ["11:59", ["next", "upcoming", "upcoming", "upcoming", null]],
    ["12:00", ["racing", "next", "next", "upcoming", null]],
    ["16:10", ["racing", "racing", "racing", "next", null]],
    ["16:11", [null, "racing", "racing", "next", null]],
    ["18:41", [null, null, null, null, null]],
  ])("returns the status of each meeting at %s", (time, expected) => {
    expect(meetingStatuses(meetings, at(time))).toEqual(expected);
  });
});
