import * as v from "valibot";
import { adminAction, adminActions } from "#admin-kit/admin-kit.server.ts";
import { yesInput } from "#admin-kit/admin-kit.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { discardRaceResult } from "../results/discard-race-result.server.ts";
import { setVenueActive } from "../set-venue-active.server.ts";
import { readRaceParams } from "./read-race-params.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = adminActions({
  "/admin/venues/:venueId/status": adminAction({
    input: v.object({ active: yesInput }),
    run: ({ admin, params, input }) => setVenueActive(admin.id, params.venueId, input.active),
    done: (_, { active }) => (active ? "Venue activated." : "Venue deactivated."),
    failed: "Failed to update venue status",
    refusals: {
      "no-such-venue": ["Venue not found.", 404],
    },
  }),
  "/admin/results/:venueId/:raceDate/:raceNumber/discard": adminAction({
    confirm: {
      title: "Discard result",
      message: "This result is not confirmed yet. After you discard it, you can enter a new one.",
      confirmText: "Discard",
    },
    run: async ({ admin, params, form }) => {
      const race = readRaceParams(params);
      const result = await discardRaceResult(admin.id, race, readField(form, "result"));
      return result.ok ? { ok: true, raceNumber: race.raceNumber } : result;
    },
    done: ({ raceNumber }) => `Result of race ${raceNumber} discarded.`,
    failed: "Failed to discard the result",
    refusals: {
      "no-such-result": ["This result was discarded or entered again already.", 404],
      confirmed: "This result is confirmed. Correct it instead.",
    },
  }),
});
