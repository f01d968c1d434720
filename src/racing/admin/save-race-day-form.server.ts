import * as v from "valibot";
import { formError, formSuccess, withFormError } from "#admin-kit/admin-kit.server.ts";
import { dateAt, isYearsAway, YEARS_AWAY_MESSAGE } from "#domain/calendar.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { now } from "#platform/clock.server.ts";
import { readField } from "#platform/parse-form.ts";
import { type ComparableRaceDay, UNREPORTED_RACE_DAY } from "../compare-race-days.ts";
import type { ConflictSide, RaceDayConflict } from "../merge-race-days.ts";
import { parseRunners, parseRunnersOfDay } from "../parse-runners.ts";
import { type RunnerInput, raceDayInput } from "../race-day.input.ts";
import { mergeRaces, saveRaceDay } from "../save-race-day.server.ts";

const RACE_NUMBERS = Array.from({ length: MAX_RACES }, (_, index) => index + 1);

/** Handles the race day form. */
export async function saveRaceDayForm(
  actorId: string,
  form: FormData,
  day: { venueId: string; raceDate: string },
) {
  if (isYearsAway(day.raceDate, dateAt(now())))
    return formError(form, { message: YEARS_AWAY_MESSAGE });
  const { races, errors } = readRaces(form);
  if (Object.keys(errors).length > 0) return formError(form, { errors });
  const parsed = v.safeParse(raceDayInput, { ...Object.fromEntries(form), ...day, races });
  if (!parsed.success) return formError(form, { errors: toFieldErrors(parsed.issues, races) });
  return await withFormError(form, "Failed to save race day", async () => {
    const result = await saveRaceDay(actorId, parsed.output, {
      expectedVersion: parseVersion(form.get("version")),
      opened: readOpened(form, day),
      findChoice: (conflict) => readChoice(form, conflict),
    });
    if (result.ok) return formSuccess(describeSuccess(result.mergedChanges));
    if (result.refusal === "unknown-venue")
      return formError(form, { message: "This venue no longer exists.", status: 404 });
    if (result.refusal === "race-has-runners")
      return formError(form, {
        errors: {
          [`off-${result.raceNumber}`]: `Race ${result.raceNumber} has runners. Delete its runners and save, then delete its off time.`,
        },
        status: 409,
      });
    if (result.refusal === "race-has-result")
      return formError(form, {
        errors: {
          [`off-${result.raceNumber}`]: `Race ${result.raceNumber} has a result and stays. If it was not run, enter it as abandoned.`,
        },
        status: 409,
      });
    if (result.refusal === "merge-invalid")
      return formError(form, {
        message: `Not saved, because someone else saved this race day while you were editing, and with their changes it is not valid: ${result.problem}. Change your entry.`,
        status: 409,
      });
    return formError(form, {
      message:
        "Not saved. Someone else saved this race day while you were editing and changed the same values. Choose which to keep, then save again. All other changes are kept.",
      conflicts: result.conflicts,
      status: 409,
    });
  });
}

/** Returns the version that the form was opened with, 0 if it is missing or invalid. */
function parseVersion(value: FormDataEntryValue | null): number {
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : 0;
}

/** Returns the report that the form was opened with. Null if it is missing or invalid. */
function readOpened(
  form: FormData,
  day: { venueId: string; raceDate: string },
): ComparableRaceDay | null {
  const text = readField(form, "opened");
  if (text === "") return parseVersion(form.get("version")) === 0 ? UNREPORTED_RACE_DAY : null;
  try {
    const report = v.parse(raceDayInput, { ...JSON.parse(text), ...day });
    return { ...report, races: mergeRaces([], report) };
  } catch {
    return null;
  }
}

/** Returns the choice of a conflict. A choice does not count if the other value has changed since it was shown. */
function readChoice(form: FormData, { name, theirs }: RaceDayConflict): ConflictSide | null {
  const choice = readField(form, `keep-${name}`);
  if (readField(form, `seen-${name}`) !== theirs) return null;
  return choice === "mine" || choice === "theirs" ? choice : null;
}

function describeSuccess(mergedChanges: readonly string[] = []): string {
  if (mergedChanges.length === 0) return "Race day saved.";
  return `Race day saved, with what someone else saved meanwhile: ${mergedChanges.join(", ")}.`;
}

/** The form values of a race. Values that the form omits keep what was reported. */
type FormRace = {
  raceNumber: number;
  time: string;
  name?: string;
  distanceMetres?: string;
  surface?: string;
  runners?: RunnerInput[];
};

function readRaces(form: FormData): { races: FormRace[]; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const ofDay = parseRunnersOfDay(text("runners-all") ?? "");
  if (ofDay.error) errors["runners-all"] = ofDay.error;
  const races = RACE_NUMBERS.map((raceNumber): FormRace => {
    const runnersText = text(`runners-${raceNumber}`);
    const parsed = runnersText === undefined ? null : parseRunners(runnersText);
    if (parsed?.error) errors[`runners-${raceNumber}`] = parsed.error;
    return {
      raceNumber,
      time: text(`off-${raceNumber}`) ?? "",
      name: text(`name-${raceNumber}`),
      distanceMetres: text(`distance-${raceNumber}`),
      surface: text(`surface-${raceNumber}`),
      // Runners pasted for the whole day replace those of the races that they name.
      runners: ofDay.byRace.get(raceNumber) ?? parsed?.runners,
    };
  });
  for (const raceNumber of ofDay.byRace.keys())
    if (!RACE_NUMBERS.includes(raceNumber))
      errors["runners-all"] ??= `Race number must be from 1 to ${MAX_RACES}`;
  for (const race of races)
    if (race.time.trim() === "" && (race.name?.trim() || race.runners?.length))
      errors[`off-${race.raceNumber}`] ??= `Enter the off time of race ${race.raceNumber}`;
  return { races: races.filter((race) => race.time.trim() !== ""), errors };
}

const RACE_FIELD_NAMES: Readonly<Record<string, string>> = {
  name: "name",
  distanceMetres: "distance",
  surface: "surface",
  runners: "runners",
};

/** Returns the messages by field. A message about a race is assigned to that race's field. */
function toFieldErrors(
  issues: readonly v.BaseIssue<unknown>[],
  races: readonly FormRace[],
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const [field, index, raceField, runnerIndex] = path?.map((part) => part.key) ?? [];
    const race = field === "races" ? races[Number(index ?? -1)] : undefined;
    const runner = race?.runners?.[Number(runnerIndex ?? -1)];
    const name = race
      ? `${RACE_FIELD_NAMES[String(raceField)] ?? "off"}-${race.raceNumber}`
      : String(field ?? "");
    errors[name] ??= runner ? `Horse ${runner.number}: ${message}` : message;
  }
  return errors;
}
