import * as v from "valibot";

/** The body of an unlock request: the number of run races that the client has confirmed. */
export const unlockInput = v.object({
  racesRun: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(12))),
});
