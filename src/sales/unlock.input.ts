import * as v from "valibot";

/** What a client may say when it opens a card: how many of its races it knows to be over. */
export const unlockInput = v.object({
  racesRun: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(12))),
});
