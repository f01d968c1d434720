import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import {
  reasonInput,
  refusalMessages,
  voidRaceCardConfirmation,
} from "#admin-kit/admin-kit.ui.tsx";
import { parseForm } from "#platform/parse-form.ts";
import { HAS_TIPS_MESSAGE } from "#racing/racing.ui.tsx";
import { describeEffect } from "../enter-result.server.ts";
import { previewVoidRaceCard, voidRaceCard } from "../void-race-card.server.ts";
import type { Route } from "./+types/race-card-void.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

const REFUSALS = refusalMessages({
  "race-card-not-found": ["Race card not found.", 404],
  "has-tips": [HAS_TIPS_MESSAGE, 403],
  "reason-missing": ["Please enter a reason.", 422],
});

const voidInput = v.object({ reason: reasonInput });

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(voidInput, form);
      if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
      const { raceCardId } = params;
      const result = await voidRaceCard(admin.id, { raceCardId, reason: parsed.values.reason });
      if (!result.ok) return actionRefused(...REFUSALS[result.refusal]);
      return actionSucceeded(
        result.voided === null
          ? "Entered. Another admin must void this race card too."
          : "Race card voided. Its buyers get back the coins that are due.",
      );
    },
    {
      confirmation: async ({ admin, params, form }) => {
        const parsed = parseForm(voidInput, form);
        if (!parsed.ok) return null;
        const { raceCardId } = params;
        const { reason } = parsed.values;
        const effect = await previewVoidRaceCard(admin.id, { raceCardId, reason });
        return voidRaceCardConfirmation(effect && describeEffect(effect));
      },
    },
  );
