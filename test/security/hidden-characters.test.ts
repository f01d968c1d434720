import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { nameInput } from "#accounts/accounts.ui.tsx";
import { raceDayInput } from "#racing/race-day.input.ts";
import { venueInput } from "#racing/venue.input.ts";
import { analystTipInput } from "#tips/publishing/analyst-tip.input.ts";
import { batchRaceInput } from "#tips/publishing/batch.input.ts";

// Names and analyses that are invisible, or that invisible characters turn around.

const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success;

describe("the forms", () => {
  const race = {
    raceNumber: 1,
    horseNumber: 1,
    horseName: "Harbour Light",
    tipType: "win",
    confidence: "high",
    raceTime: "12:30",
  };
  const batch = { ...race, analysis: "Likes it wet." };
  const tip = {
    ...race,
    reasoning: "Likes it wet.",
    idempotencyKey: "0123456789",
    venueId: "01a22273-9253-7f7f-a9a6-8e59b3c3ba5f",
    raceDate: "2026-11-28",
  };
  const venue = { name: "Vaal", location: "Free State", totalRaces: 8 };
  const raceDay = (runner: object) => ({
    venueId: tip.venueId,
    raceDate: tip.raceDate,
    source: "Track office",
    races: [
      {
        raceNumber: 1,
        time: "12:30",
        runners: [{ number: 1, horseName: "Harbour Light", ...runner }],
      },
    ],
  });
  it.each<[string, v.GenericSchema, (text: string) => unknown]>([
    ["the name of a person", nameInput, (text) => text],
    ["the horse of a batch", batchRaceInput, (text) => ({ ...batch, horseName: text })],
    ["the analysis of a batch", batchRaceInput, (text) => ({ ...batch, analysis: text })],
    ["the horse of an analyst", analystTipInput, (text) => ({ ...tip, horseName: text })],
    ["the analysis of an analyst", analystTipInput, (text) => ({ ...tip, reasoning: text })],
    ["a declared horse", raceDayInput, (text) => raceDay({ horseName: text })],
    ["a jockey", raceDayInput, (text) => raceDay({ jockey: text })],
    ["the name of a venue", venueInput, (text) => ({ ...venue, name: text })],
    ["the location of a venue", venueInput, (text) => ({ ...venue, location: text })],
    ["a trainer", raceDayInput, (text) => raceDay({ trainer: text })],
  ])("refuse hidden characters in %s", (_field, schema, create) => {
    expect(accepts(schema, create("Silver Rain"))).toBe(true);
    expect(accepts(schema, create("Silver\u202ERain"))).toBe(false);
    expect(accepts(schema, create("\u200B"))).toBe(false);
  });
});
