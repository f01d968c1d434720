import { formatRaceNumbers } from "#domain/format-races.ts";
import { MAX_RACES } from "#domain/tip.ts";

// The form of a whole meeting: the fields of the single race forms, each with the number of its race before its name.

/** `r` for the entry of a result, `c` for its confirmation. */
type FormKind = "r" | "c";

/** Fields that are filled in when the form is opened, so that a race is not entered because of them. */
const PREFILLED = { r: /^(off|surface|horse-\d+)$/, c: /^(result|ticked)$/ };

/** Returns what stands before the names of a race's fields: 'r3-'. */
export const toRacePrefix = (raceNumber: number, kind: FormKind = "r") => `${kind}${raceNumber}-`;

/** Returns the values of a race's fields by the names that they have in the form of one race. */
export function pickRaceValues(
  values: Readonly<Record<string, string>> | undefined,
  raceNumber: number,
  kind?: FormKind,
): Record<string, string> {
  const prefix = toRacePrefix(raceNumber, kind);
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}

/** Returns the form of one race, with the fields that all races share. */
export function readRaceForm(form: FormData, raceNumber: number, kind?: FormKind): FormData {
  const prefix = toRacePrefix(raceNumber, kind);
  const raceForm = new FormData();
  for (const name of ["source", "sourceUrl"]) raceForm.set(name, form.get(name) ?? "");
  for (const [name, value] of form)
    if (name.startsWith(prefix)) raceForm.append(name.slice(prefix.length), value);
  return raceForm;
}

/** Returns the races for which something was typed, in running order. */
export function listFilledRaces(form: FormData, kind: FormKind = "r"): number[] {
  const filled = new Set<number>();
  for (const [name, value] of form) {
    const [, letter, raceNumber, field = ""] = /^([rc])(\d{1,2})-(.+)$/.exec(name) ?? [];
    if (letter === kind && value !== "" && !PREFILLED[kind].test(field))
      filled.add(Number(raceNumber));
  }
  return [...filled]
    .filter((raceNumber) => raceNumber >= 1 && raceNumber <= MAX_RACES)
    .sort((a, b) => a - b);
}

/** Parses race numbers such as '5,6,7'. Returns none for any other text. */
export function parseRaceNumbers(text: string | null): number[] {
  return /^\d{1,2}(,\d{1,2}){0,11}$/.test(text ?? "") ? (text ?? "").split(",").map(Number) : [];
}

/** Returns the message about saved results. */
export function formatSaved(saved: readonly number[]): string {
  return saved.length === 1
    ? `Result of race ${saved[0]} saved. Another admin must confirm it.`
    : `Results of ${formatRaceNumbers(saved)} saved. Another admin must confirm them.`;
}

/** Returns the message about confirmed results. */
export function formatConfirmed(confirmed: readonly number[]): string {
  return `${confirmed.length === 1 ? "Result" : "Results"} of ${formatRaceNumbers(confirmed)} confirmed.`;
}
