import * as v from "valibot";
import { MAX_RACES } from "#domain/tip.ts";
import { raceDayInput, saveRaceDay } from "#racing/racing.server.ts";
import { orWrong, saved, wrong } from "./answer-form.server.ts";

/** Answers the form of a race day: an off time for each race that has one, and what else is known. */
export async function saveRaceDayForm(
  actorId: string,
  form: FormData,
  day: { venueId: string; raceDate: string },
) {
  const offTimes = Array.from({ length: MAX_RACES }, (_, index) => ({
    raceNumber: index + 1,
    time: String(form.get(`off-${index + 1}`) ?? ""),
  })).filter((race) => race.time !== "");
  const read = v.safeParse(raceDayInput, { ...Object.fromEntries(form), ...day, offTimes });
  if (!read.success) return wrong(form, { errors: errorsOf(read.issues) });
  return await orWrong(form, "Failed to save race day", async () => {
    const answer = await saveRaceDay(actorId, read.output);
    return answer.ok
      ? saved("The race day is saved.")
      : wrong(form, { message: "This venue is not there any more.", status: 404 });
  });
}

function errorsOf(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of issues) errors[String(issue.path?.[0]?.key ?? "")] ??= issue.message;
  return errors;
}
