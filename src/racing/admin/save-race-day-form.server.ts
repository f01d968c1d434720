import * as v from "valibot";
import { formError, formSuccess, withFormError } from "#admin-kit/admin-kit.server.ts";
import { timeAt } from "#domain/calendar.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { type RaceDayInput, raceDayInput } from "../race-day.input.ts";
import type { RaceDay } from "../race-days.server.ts";
import { saveRaceDay } from "../save-race-day.server.ts";

/** Handles the race day form. */
export async function saveRaceDayForm(
  actorId: string,
  form: FormData,
  day: { venueId: string; raceDate: string },
) {
  const offTimes = Array.from({ length: MAX_RACES }, (_, index) => ({
    raceNumber: index + 1,
    time: String(form.get(`off-${index + 1}`) ?? ""),
  })).filter((race) => race.time.trim() !== "");
  const parsed = v.safeParse(raceDayInput, { ...Object.fromEntries(form), ...day, offTimes });
  if (!parsed.success) return formError(form, { errors: toFieldErrors(parsed.issues, offTimes) });
  return await withFormError(form, "Failed to save race day", async () => {
    const result = await saveRaceDay(actorId, parsed.output, {
      expectedVersion: parseVersion(form.get("version")),
    });
    if (result.ok) return formSuccess("Race day saved.");
    if (result.refusal === "unknown-venue")
      return formError(form, { message: "This venue no longer exists.", status: 404 });
    // The form is rendered with the new version, so that saving it again overwrites what it lists.
    form.set("version", String(result.stored.version));
    return formError(form, {
      message: `Someone else saved this race day while you were editing. Not saved. Differences: ${describeDifferences(result.stored, parsed.output)}. Save again to replace their report with yours.`,
      status: 409,
    });
  });
}

/** Returns the version that the form was opened with, 0 if it is missing or invalid. */
function parseVersion(value: FormDataEntryValue | null): number {
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : 0;
}

const FIELD_LABELS = {
  going: "going",
  weather: "weather",
  weatherDescription: "description",
  temperatureCelsius: "temperature",
  humidityPercent: "humidity",
  windKmh: "wind",
  source: "source",
} as const;

/** Returns what a report would change in the stored one: "race 5 off 14:25 → 14:20, going Soft → Good". */
function describeDifferences(stored: RaceDay, report: RaceDayInput): string {
  const offTimes = (races: { raceNumber: number; time: string }[]) =>
    new Map(races.map(({ raceNumber, time }) => [raceNumber, time]));
  const before = offTimes(
    stored.offTimes.map(({ raceNumber, offAt }) => ({ raceNumber, time: timeAt(offAt) })),
  );
  const after = offTimes(report.offTimes);
  const raceNumbers = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  const differences = [
    ...raceNumbers.map((raceNumber) => ({
      label: `race ${raceNumber} off`,
      from: before.get(raceNumber),
      to: after.get(raceNumber),
    })),
    ...Object.entries(FIELD_LABELS).map(([field, label]) => ({
      label,
      from: stored[field as keyof typeof FIELD_LABELS],
      to: report[field as keyof typeof FIELD_LABELS],
    })),
  ].filter(({ from, to }) => (from ?? null) !== (to ?? null));
  return differences
    .map(({ label, from, to }) => `${label} ${from ?? "not reported"} → ${to ?? "not reported"}`)
    .join(", ");
}

/** Returns the messages by field. A message about one off time is assigned to that race's field. */
function toFieldErrors(
  issues: readonly v.BaseIssue<unknown>[],
  offTimes: readonly { raceNumber: number }[],
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const [field, index] = path?.map((part) => part.key) ?? [];
    const race = field === "offTimes" ? offTimes[Number(index ?? -1)] : undefined;
    errors[race ? `off-${race.raceNumber}` : String(field ?? "")] ??= message;
  }
  return errors;
}
