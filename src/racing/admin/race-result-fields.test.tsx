import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { RaceResultFields } from "./race-result-fields.ui.tsx";

const RACE = {
  raceNumber: 3,
  offAt: new Date("2027-01-01T11:02:00Z"),
  name: null,
  distanceMetres: null,
  surface: null,
  runners: [],
};

function renderFields(errors: Record<string, string>): string {
  return renderToStaticMarkup(
    <RaceResultFields
      race={RACE}
      result={null}
      lastSource={null}
      isCorrection={false}
      reason=""
      values={{ order: "4 1 7" }}
      errors={errors}
      isPending={false}
    />,
  );
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
});
