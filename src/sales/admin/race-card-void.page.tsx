import * as v from "valibot";
import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import {
  reasonInput,
  refusalMessages,
  VOID_RACE_CARD_CONFIRMATION,
} from "#admin-kit/admin-kit.ui.tsx";
import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";
import { parseForm } from "#platform/parse-form.ts";
import { HAS_TIPS_MESSAGE } from "#racing/racing.ui.tsx";
import { voidRaceCard } from "../void-race-card.server.ts";
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

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const parsed = parseForm(v.object({ reason: reasonInput }), form);
      if (!parsed.ok) return actionRefused(Object.values(parsed.errors).join(" "), 422);
      const { raceCardId } = params;
      const result = await voidRaceCard(admin.id, { raceCardId, reason: parsed.values.reason });
      if (!result.ok) return actionRefused(...REFUSALS[result.refusal]);
      return actionSucceeded(
        `Race card voided. Its buyers get their ${formatCoins(CARD_PRICE_COINS)} back.`,
      );
    },
    { confirmation: VOID_RACE_CARD_CONFIRMATION },
  );
