import * as v from "valibot";

/** The body of an unlock request: how many races already run the client has confirmed. */
export const unlockInput = v.object({
  acknowledgedRacesRun: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(12))),
});
