import * as v from "valibot";
import { formError, formSuccess, withFormError } from "#admin-kit/admin-kit.server.ts";
import { INVALID_OFF_TIME_MESSAGE, parseTime } from "#domain/parse-time.ts";
import { readField } from "#platform/parse-form.ts";
import { changeRace } from "../change-race.server.ts";
import { sourceInput } from "../race-day.input.ts";
import type { RaceReference } from "../results/read-results.server.ts";

/** Handles the form of one race. It sends what it was opened with, so that what others changed meanwhile stays. */
export async function changeRaceForm(actorId: string, form: FormData, race: RaceReference) {
  const off = parseTime(readField(form, "off"));
  const source = v.safeParse(sourceInput, readField(form, "source"));
  if (!off || !source.success)
    return formError(form, {
      errors: {
        ...(off ? {} : { off: INVALID_OFF_TIME_MESSAGE }),
        ...(source.success ? {} : { source: source.issues[0].message }),
      },
    });
  const isChecked = (number: number) => form.has(`scratched-${number}`);
  const wasScratched = readNumbers(readField(form, "wasScratched"));
  const numbers = readNumbers(readField(form, "runners"));
  return await withFormError(form, "Failed to change the race", async () => {
    const result = await changeRace(actorId, race, {
      off: { from: parseTime(readField(form, "wasOff")) ?? off, to: off },
      scratch: numbers.filter((number) => isChecked(number) && !wasScratched.includes(number)),
      reinstate: wasScratched.filter((number) => numbers.includes(number) && !isChecked(number)),
      source: source.output,
    });
    if (result.ok)
      return formSuccess(
        result.changes.length > 0 ? `Saved: ${result.changes.join(", ")}.` : "Nothing has changed.",
      );
    switch (result.refusal) {
      case "unknown-race":
        return formError(form, { message: "This race is no longer on the race day.", status: 404 });
      case "unknown-runner":
        return formError(form, {
          message: `Not saved. Horse ${result.number} is no longer declared. Reload the page.`,
          status: 409,
        });
      case "off-changed":
        return formError(form, {
          errors: {
            off: `Someone else changed the off to ${result.off}. Reload the page to change it again.`,
          },
          status: 409,
        });
      case "invalid":
        return formError(form, { errors: { off: result.problem } });
    }
  });
}

/** Parses horse numbers such as "3 7". Returns none for any other text. */
function readNumbers(text: string): number[] {
  return text.length <= 200 && /^\d{1,2}(?: \d{1,2})*$/.test(text)
    ? text.split(" ").map(Number)
    : [];
}
