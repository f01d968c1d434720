import * as v from "valibot";
import { isCalendarDate } from "#domain/calendar.ts";

const CHOOSE_SUBJECT = "Please choose what to change";
const WHOLE_NUMBER = "Please enter a whole number";

/** The form that changes the price of a coin pack in rand, or the tipsters' share in per cent, from a day on. */
export const changePriceInput = v.object({
  subject: v.pipe(v.string(CHOOSE_SUBJECT), v.minLength(1, CHOOSE_SUBJECT)),
  amount: v.pipe(
    v.string(WHOLE_NUMBER),
    v.regex(/^[1-9][0-9]{0,5}$/, WHOLE_NUMBER),
    v.transform(Number),
  ),
  from: v.pipe(v.string("Please choose a day"), v.check(isCalendarDate, "Please choose a day")),
});
