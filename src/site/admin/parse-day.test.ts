import { describe, expect, it } from "vitest";
import { parseDay } from "./parse-day.ts";

describe("the day in a search", () => {
  it.each([
    ["Kenilworth 2026-11-22", "2026-11-22", "Kenilworth"],
    ["2026-11-22", "2026-11-22", ""],
    ["kenilworth 22 Nov", "2026-11-22", "kenilworth"],
    ["22 november 2025 Vaal", "2025-11-22", "Vaal"],
    ["Sun 22 Nov", "2026-11-22", ""],
    ["22/11/2026 Turffontein", "2026-11-22", "Turffontein"],
    ["22.11 Turffontein", "2026-11-22", "Turffontein"],
    ["5 Jan", "2027-01-05", ""],
    ["29 Feb", null, "29 Feb"],
    ["31/11/2026", null, "31/11/2026"],
    ["vaal Yesterday", "2026-12-08", "vaal"],
    ["today", "2026-12-09", ""],
    ["Kenilworth", null, "Kenilworth"],
    ["race 12 kenilworth", null, "race 12 kenilworth"],
    ["082 555 0101", null, "082 555 0101"],
    ["2026-13-45", null, "2026-13-45"],
  ])("of %j is %j", (text, date, rest) =>
    expect(parseDay(text, "2026-12-09")).toEqual({ date, rest }),
  );
});
