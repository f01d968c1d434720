import { data, redirect } from "react-router";
import type { CalendarDate } from "#domain/calendar.ts";
import { formatRaceNumbers } from "#domain/format-races.ts";
import { logFailure } from "#platform/log-failure.server.ts";
import { readFormValues } from "#platform/parse-form.ts";
import { formatConfirmed, listFilledRaces, readRaceForm } from "./meeting-form.ts";
import { type ConfirmFormResult, submitSecondEntry } from "./race-result-confirm-form.server.ts";

/** What the form of a meeting shows after a submission, with the second entries by race. */
export type MeetingFormResult = {
  ok: boolean;
  message?: string;
  errors?: Record<string, string>;
  values?: Record<string, string>;
  confirmations?: Record<number, ConfirmFormResult>;
};

/**
 * Handles the second entries in the form of a meeting. First compares all that are filled in with the first entries, and
 * then, with `confirm`, confirms those that are ticked, each in a transaction of its own: a race that is refused leaves the
 * others confirmed.
 */
export async function confirmMeetingResultsForm(
  actorId: string,
  form: FormData,
  meeting: { venueId: string; raceDate: CalendarDate },
) {
  const isConfirmed = form.has("confirm");
  const filled = listFilledRaces(form, "c");
  const raceNumbers = isConfirmed
    ? filled.filter((raceNumber) => form.get(`c${raceNumber}-ticked`) === "yes")
    : filled;
  const respond = (result: Omit<MeetingFormResult, "values">, status = 200) =>
    data<MeetingFormResult>({ ...result, values: readFormValues(form) }, { status });
  if (raceNumbers.length === 0) {
    const message = isConfirmed
      ? "No race is ticked. Nothing was confirmed."
      : "No race is filled in. Nothing was compared.";
    return respond({ ok: false, message }, 422);
  }
  const confirmed: number[] = [];
  const confirmations: Record<number, ConfirmFormResult> = {};
  let status: number | undefined;
  for (const raceNumber of raceNumbers) {
    const raceForm = readRaceForm(form, raceNumber, "c");
    if (isConfirmed) raceForm.set("confirmed", "yes");
    try {
      const response = await submitSecondEntry(actorId, raceForm, { ...meeting, raceNumber });
      if (response === null) confirmed.push(raceNumber);
      else {
        confirmations[raceNumber] = response.data as ConfirmFormResult;
        if (!response.data.ok) status ??= response.init?.status;
      }
    } catch (error) {
      // The database is out of reach. What was confirmed before must be said.
      if (confirmed.length === 0 || !(error instanceof Error)) throw error;
      logFailure("error", { error }, "failed to confirm the results of a meeting");
      status = 503;
      break;
    }
  }
  const agreed = raceNumbers.filter((raceNumber) => confirmations[raceNumber]?.ok);
  const rest = raceNumbers.filter(
    (raceNumber) => !confirmed.includes(raceNumber) && !agreed.includes(raceNumber),
  );
  const messages = [
    confirmed.length > 0 ? formatConfirmed(confirmed) : null,
    agreed.length > 0
      ? `Both entries agree: ${formatRaceNumbers(agreed)}. Look at them, and untick what you don't confirm.`
      : null,
    rest.length > 0 ? `Not confirmed: ${formatRaceNumbers(rest)}. See what is marked.` : null,
  ];
  const message = messages.filter((each) => each !== null).join(" ");
  if (rest.length > 0) return respond({ ok: false, message, confirmations }, status ?? 422);
  if (
    isConfirmed &&
    filled.every((raceNumber) => confirmed.includes(raceNumber)) &&
    listFilledRaces(form).length === 0
  )
    throw redirect(
      `/admin/results/${meeting.venueId}/${meeting.raceDate}?confirmed=${confirmed.join(",")}#end`,
    );
  return respond({ ok: true, message, confirmations });
}
