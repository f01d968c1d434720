import { data, redirect } from "react-router";
import { formError, formSuccess } from "#admin-kit/admin-kit.server.ts";
import type { CalendarDate } from "#domain/calendar.ts";
import { formatRaceNumbers } from "#domain/format-races.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { readField, readFormValues } from "#platform/parse-form.ts";
import { saveRaceResult } from "./enter-race-result-form.server.ts";
import { formatSaved, listFilledRaces, readRaceForm, toRacePrefix } from "./meeting-form.ts";

/** The fields that all races of the meeting share. */
const SHARED_FIELDS = ["source", "sourceUrl"];

const HAS_OFFICIAL_RESULT_MESSAGE =
  "This race has an official result by now. Yours was not saved. Correct the official one instead.";

/**
 * Handles the results form of a meeting. Saves every race that is filled in, or the one of the button, each in a
 * transaction of its own: a race that is refused leaves the others saved and what was typed in place.
 */
export async function enterMeetingResultsForm(
  actorId: string,
  form: FormData,
  meeting: { venueId: string; raceDate: CalendarDate },
) {
  const only = readField(form, "only");
  if (only !== "" && !/^\d{1,2}$/.test(only)) throw data(null, { status: 404 });
  const filled = listFilledRaces(form);
  const raceNumbers = only === "" ? filled : [Number(only)];
  if (raceNumbers.length === 0)
    return formError(form, { message: "No race is filled in. Nothing was saved." });
  const saved: number[] = [];
  const errors: Record<string, string> = {};
  let status: number | undefined;
  for (const raceNumber of raceNumbers) {
    const prefix = toRacePrefix(raceNumber);
    try {
      const race = { ...meeting, raceNumber };
      const refused = await saveRaceResult(actorId, readRaceForm(form, raceNumber), race);
      if (refused === null) saved.push(raceNumber);
      else {
        status ??= refused.init?.status;
        if (refused.data.message) errors[prefix] = refused.data.message;
        for (const [name, message] of Object.entries(refused.data.errors ?? {}))
          if (name === "reason") errors[prefix] = HAS_OFFICIAL_RESULT_MESSAGE;
          else errors[SHARED_FIELDS.includes(name) ? name : `${prefix}${name}`] = message;
      }
    } catch (error) {
      // The database is out of reach. What was saved before must be said.
      if (saved.length === 0 || !(error instanceof Error)) throw error;
      logFailure("error", { error }, "failed to save the results of a meeting");
      status = 503;
      errors[prefix] = "Failed to save the result. Please try again.";
      break;
    }
  }
  const message = saved.length > 0 ? formatSaved(saved) : "";
  const unsaved = raceNumbers.filter((raceNumber) => !saved.includes(raceNumber));
  if (unsaved.length > 0)
    return formError(form, {
      message: `${message} Not saved: ${formatRaceNumbers(unsaved)}. See what is marked.`.trim(),
      errors,
      status,
    });
  if (filled.every((each) => saved.includes(each)) && listFilledRaces(form, "c").length === 0)
    throw redirect(
      `/admin/results/${meeting.venueId}/${meeting.raceDate}?saved=${saved.join(",")}#end`,
    );
  // Without JavaScript a redirect would empty the fields of the other races.
  return formSuccess(message, readFormValues(form));
}
