import * as v from "valibot";

/**
 * An unlock request of the JSON API and of the form of the page. The idempotency key may be missing
 * or empty. Without `acknowledgedRacesRun`, races that have been run need no confirmation.
 */
export const unlockInput = v.object({
  idempotencyKey: v.nullish(v.pipe(v.string(), v.maxLength(200))),
  acknowledgedRacesRun: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(12))),
});
