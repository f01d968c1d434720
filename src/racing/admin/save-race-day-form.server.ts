import * as v from "valibot";
import { formError, formSuccess, withFormError } from "#admin-kit/admin-kit.server.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { raceDayInput } from "../race-day.input.ts";
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
    const result = await saveRaceDay(actorId, parsed.output);
    return result.ok
      ? formSuccess("Race day saved.")
      : formError(form, { message: "This venue no longer exists.", status: 404 });
  });
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
