import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it } from "vitest";
import type { StoredRaceResult } from "../results/read-results.server.ts";
import { RaceResultFields } from "./race-result-fields.ui.tsx";

const RACE = {
  raceNumber: 3,
  offAt: new Date("2027-01-01T11:02:00Z"),
  name: null,
  distanceMetres: null,
  surface: null,
  runners: [],
};

function renderFields(
  errors: Record<string, string>,
  values: Record<string, string> = {},
  result: StoredRaceResult | null = null,
): string {
  const element = (
    <RaceResultFields
      race={RACE}
      result={result}
      lastSource={null}
      isCorrection={false}
      reason=""
      values={{ order: "4 1 7", ...values }}
      errors={errors}
      isPending={false}
    />
  );
  const router = createMemoryRouter([{ path: "/", element }]);
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

const findInput = (html: string, name: string) =>
  html.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0] ?? "";

describe("the race result fields", () => {
  it.each(["price-1", "win-2", "place-3"])("marks only the invalid field %s", (name) => {
    const html = renderFields({ [name]: "Enter an amount" });
    const input = findInput(html, name);
    expect(input).toContain('aria-invalid="true"');
    expect(html.match(/aria-invalid/g)).toHaveLength(1);
    const [, errorId] = /aria-describedby="([^"]+)"/.exec(input) ?? [];
    expect(html).toContain(`<p id="${errorId}"`);
  });

  it("shows an error once when several fields of a row have it", () => {
    const html = renderFields({ "win-1": "Enter an amount", "place-1": "Enter an amount" });
    expect(html.match(/Enter an amount/g)).toHaveLength(1);
    expect(html.match(/aria-invalid/g)).toHaveLength(2);
  });

  it("shows the prices beside their horse after the order was changed", () => {
    const html = renderFields(
      {},
      { order: "1 4 7", "horse-1": "4", "price-1": "5/1", "horse-2": "1", "price-2": "18/10" },
    );
    expect(findInput(html, "horse-1")).toContain('value="1"');
    expect(findInput(html, "price-1")).toContain('value="18/10"');
    expect(findInput(html, "price-2")).toContain('value="5/1"');
  });

  it("sends the starting prices of horses without a row along", () => {
    const runner = {
      outcome: "finished",
      winDividendCents: null,
      placeDividendCents: null,
    } as const;
    const startingPrice = { numerator: 9, denominator: 1 };
    const result: StoredRaceResult = {
      ...{ id: "", raceDayId: "", raceNumber: 3, version: 1, status: "official", offAt: null },
      ...{ starters: 8, surface: null, placesPaid: 3, source: "NHA", sourceUrl: null, via: "form" },
      ...{ enteredBy: null, enteredAt: new Date(0), confirmedBy: null, confirmedAt: null },
      ...{ isEnteredByOnePerson: false, reason: "", hasEnteredNames: false },
      runners: [
        { ...runner, number: 4, horseName: null, position: 1, startingPrice },
        { ...runner, number: 9, horseName: null, position: null, startingPrice },
      ],
    };
    const html = renderFields({}, {}, result);
    expect(findInput(html, "horse-7")).toContain('value="9"');
    expect(findInput(html, "price-7")).toContain('value="9/1"');
    expect(findInput(html, "horse-8")).toBe("");
  });

  it("has a row with a name for each horse for which a place may be paid, and moves names with their horse", () => {
    const order = "4 1 7 2 3 5=6=8 9";
    const html = renderFields(
      {},
      {
        ...{ order: "1 4 7", "horse-1": "4", "name-1": "Sea Mist", "horse-2": "1" },
      },
    );
    expect(findInput(html, "name-1")).toContain('value=""');
    expect(findInput(html, "name-2")).toContain('value="Sea Mist"');
    expect(findInput(html, "name-7")).toBe("");
    const deadHeat = renderFields({ "name-8": "Enter the name of horse 8" }, { order });
    expect(findInput(deadHeat, "horse-8")).toContain('value="8"');
    expect(findInput(deadHeat, "name-8")).toContain('aria-invalid="true"');
    expect(findInput(deadHeat, "name-9")).toBe("");
  });
});
