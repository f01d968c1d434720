import { parseTime } from "#domain/parse-time.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { createBlankRace, type RaceDraft } from "./batch-form.ts";

// A race card as pasted text, one race a line: '4 Lantern Ladder W H Drawn well', or cells from a spreadsheet.

const TIP_TYPE_NAMES = new Map([
  ["w", "win"],
  ["win", "win"],
  ["p", "place"],
  ["place", "place"],
  ["e", "each-way"],
  ["ew", "each-way"],
  ["e/w", "each-way"],
  ["each way", "each-way"],
  ["each-way", "each-way"],
]);
const CONFIDENCE_NAMES = new Map([
  ["h", "high"],
  ["high", "high"],
  ["m", "medium"],
  ["med", "medium"],
  ["medium", "medium"],
  ["l", "low"],
  ["low", "low"],
]);
const RACE = /^(?:race|r)\s?(\d{1,2})$/i;
const NUMBER = /^#?(\d{1,2})$/;

/**
 * Parses pasted lines, at most twelve. Cells are separated by tabs or semicolons, in any order. Without cells a line is:
 * race (`R3`), horse number, horse name, tip type (W, P, E) and confidence (H, M, L) in capitals, analysis; only the
 * number or the name is needed. Values that a line does not have are empty.
 */
export function parseTipLines(text: string): RaceDraft[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, MAX_RACES)
    .map((line) => parseCells(/[\t;]/.test(line) ? line.split(/[\t;]/) : splitWords(line)));
}

/** Splits a line without cells into its values. Capitals alone are a type or confidence, so "High Noon" is a name. */
function splitWords(line: string): string[] {
  const words = line
    .trim()
    .replace(/^race\s(?=\d)/i, "R")
    .split(/\s+/);
  const cells: string[] = [];
  const take = (pattern: RegExp) => {
    const word = words[0]?.replace(/[:.),-]+$/, "") ?? "";
    if (words.length < 2 || !pattern.test(word)) return;
    cells.push(word);
    words.shift();
  };
  take(RACE);
  take(NUMBER);
  take(NUMBER);
  const isMark = (word: string) => /^(?:[WPEHML]|EW|E\/W)$/.test(word);
  const first = cells.some((cell) => NUMBER.test(cell)) ? 0 : 1;
  const nameLength = words.findIndex((word, index) => index >= first && isMark(word));
  if (nameLength < 0) return [...cells, words.join(" ")];
  cells.push(words.splice(0, nameLength).join(" "));
  while (words[0] && isMark(words[0])) cells.push(words.shift() ?? "");
  return [...cells, words.join(" ").replace(/^[-–:,]\s*/, "")];
}

function parseCells(cells: readonly string[]): RaceDraft {
  const line = createBlankRace(null);
  const values = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const hasRaceColumn =
    NUMBER.test(values[0] ?? "") && values.slice(1, 3).some((cell) => NUMBER.test(cell));
  for (const value of values) {
    const name = value.toLowerCase();
    const number = NUMBER.exec(value)?.[1];
    const race = RACE.exec(value)?.[1] ?? (hasRaceColumn ? number : undefined);
    if (race && line.raceNumber === "") line.raceNumber = String(Number(race));
    else if (number && line.horseNumber === "") line.horseNumber = String(Number(number));
    else if (/\d[:h.]\d/.test(value) && parseTime(value)) line.raceTime = parseTime(value) ?? "";
    else if (TIP_TYPE_NAMES.has(name) && line.tipType === "")
      line.tipType = TIP_TYPE_NAMES.get(name) ?? "";
    else if (CONFIDENCE_NAMES.has(name) && line.confidence === "")
      line.confidence = CONFIDENCE_NAMES.get(name) ?? "";
    // After the tip type a text is the analysis: the number alone says which horse.
    else if (line.horseName === "" && !(line.horseNumber && line.tipType)) line.horseName = value;
    else line.analysis = line.analysis === "" ? value : `${line.analysis} ${value}`;
  }
  return line;
}
