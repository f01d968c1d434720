import { expect, test } from "vitest";
import { parseTime } from "./parse-time.ts";

test.each([
  ["14:05", "14:05"],
  ["1405", "14:05"],
  ["14h05", "14:05"],
  ["14H05", "14:05"],
  ["14.05", "14:05"],
  [" 14:05 ", "14:05"],
  ["905", "09:05"],
  ["9:05", "09:05"],
  ["0:00", "00:00"],
  ["23:59", "23:59"],
])("parses %j as %s", (text, time) => {
  expect(parseTime(text)).toBe(time);
});

test.each(["", "24:00", "2400", "12:60", "14", "14:5", "2:05 pm", "140 5", "14::05", "114:05"])(
  "refuses %j",
  (text) => {
    expect(parseTime(text)).toBeNull();
  },
);
