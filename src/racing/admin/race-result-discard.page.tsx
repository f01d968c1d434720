import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { DISCARD_RESULT_CONFIRMATION, refusalMessages } from "#admin-kit/admin-kit.ui.tsx";
import { readField } from "#platform/parse-form.ts";
import { discardRaceResult } from "../results/discard-race-result.server.ts";
import type { Route } from "./+types/race-result-discard.page.ts";
import { readRaceParams } from "./read-race-params.server.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const REFUSALS = refusalMessages({
  "no-such-result": ["This result was discarded or entered again already.", 404],
  confirmed: ["This result is confirmed. Correct it instead.", 409],
});

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const race = readRaceParams(params);
      const result = await discardRaceResult(admin.id, race, readField(form, "result"));
      if (!result.ok) return actionRefused(...REFUSALS[result.refusal]);
      return actionSucceeded(`Result of race ${race.raceNumber} discarded.`);
    },
    {
      confirmation: DISCARD_RESULT_CONFIRMATION,
      errorPrefix: "Failed to discard the result",
    },
  );
