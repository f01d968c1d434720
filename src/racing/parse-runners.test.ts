import { describe, expect, it } from "vitest";
import { formatRunners, parseRunners, parseRunnersOfDay } from "./parse-runners.ts";

const HARBOUR_LIGHT = {
  number: 4,
  horseName: "Harbour Light",
  jockey: "A. Rider",
  trainer: "T. One",
  draw: 7,
  isScratched: false,
};
const SEA_MIST = {
  number: 9,
  horseName: "Sea Mist",
  jockey: null,
  trainer: null,
  draw: null,
  isScratched: true,
};

describe("parseRunners", () => {
  it("reads lines pasted from a spreadsheet, with or without a header", () => {
    const lines = "4\tHarbour Light\tA. Rider\tT. One\t7\n9\tSea Mist\t\t\t\tScratched\n";
    const expected = { runners: [HARBOUR_LIGHT, SEA_MIST], error: null };
    expect(parseRunners(lines)).toEqual(expected);
    expect(parseRunners(`No.\tHorse\tJockey\tTrainer\tDraw\tStatus\r\n${lines}`)).toEqual(expected);
  });

  it("reads lines with commas and skips empty ones", () => {
    expect(parseRunners("\n#4, Harbour Light, A. Rider, T. One, 7\n\n9,Sea Mist,,,,scr")).toEqual({
      runners: [HARBOUR_LIGHT, SEA_MIST],
      error: null,
    });
  });

  it.each([
    "9\tSea Mist, scratched",
    "9\tSea Mist\t\t\t , SCRATCHED ",
    "9\tSea Mist\t\t\t\tscratched, Scratched,",
    "9\tSea Mist,non-runner",
    "9, Sea Mist, scratched",
  ])("scratches the horse of %j", (line) => {
    expect(parseRunners(line)).toEqual({ runners: [SEA_MIST], error: null });
  });

  it("scratches a horse when a line of formatRunners ends with a status word", () => {
    expect(parseRunners(`${formatRunners([HARBOUR_LIGHT])}, scratched`).runners).toEqual([
      { ...HARBOUR_LIGHT, isScratched: true },
    ]);
  });

  it("keeps a name with a comma in a line with tabs", () => {
    expect(parseRunners("4\tHarbour Light\tRider, S").runners).toMatchObject([
      { jockey: "Rider, S", isScratched: false },
    ]);
  });

  it("parses the output of formatRunners", () => {
    expect(parseRunners(formatRunners([HARBOUR_LIGHT, SEA_MIST])).runners).toEqual([
      HARBOUR_LIGHT,
      SEA_MIST,
    ]);
  });

  it.each([
    ["Harbour Light", "Line 1: start with the horse number"],
    ["4,Harbour Light\nfive,Sea Mist", "Line 2: start with the horse number"],
    ["4,Harbour Light,,,x", 'Line 1: draw "x" is not a number'],
    ["4,Harbour Light,,,,lame", 'Line 1: status "lame" is unknown. Enter "scratched", or nothing'],
    [
      "4,Harbour Light,,,,,x",
      "Line 1: too many columns. Enter number, horse, jockey, trainer, draw, status",
    ],
  ])("refuses %j", (text, error) => {
    expect(parseRunners(text)).toEqual({ runners: [], error });
  });
});

describe("parseRunnersOfDay", () => {
  it("assigns each line to its race", () => {
    const { byRace, error } = parseRunnersOfDay(
      "Race\tNo.\tHorse\n3\t4\tHarbour Light\tA. Rider\tT. One\t7\nR5\t9\tSea Mist\t\t\t\tscratched",
    );
    expect(error).toBeNull();
    expect([...byRace]).toEqual([
      [3, [HARBOUR_LIGHT]],
      [5, [SEA_MIST]],
    ]);
  });

  it("scratches a horse when its line ends with a status word", () => {
    expect([...parseRunnersOfDay("5\t9\tSea Mist, scratched").byRace]).toEqual([[5, [SEA_MIST]]]);
  });

  it("refuses a line without a race number", () => {
    expect(parseRunnersOfDay("3,4,Harbour Light\nx,9,Sea Mist").error).toBe(
      "Line 2: start with the race number",
    );
  });
});
