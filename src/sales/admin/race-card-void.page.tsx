import * as v from "valibot";
import { act, done, refused } from "#admin-kit/admin-kit.server.ts";
import { reasonInput, VOID_CARD } from "#admin-kit/admin-kit.ui.tsx";
import { readForm } from "#platform/read-form.ts";
import { voidRaceCard } from "../enter-result.server.ts";
import type { Route } from "./+types/race-card-void.page.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(
    args,
    async ({ admin, params, form }) => {
      const read = readForm(v.object({ reason: reasonInput }), form);
      if (!read.ok) return refused(Object.values(read.errors).join(" "), 422);
      const { raceCardId } = params;
      const answer = await voidRaceCard(admin.id, { raceCardId, reason: read.values.reason });
      if (!answer.ok)
        return answer.refusal === "no-such-card"
          ? refused("There is no such card.", 404)
          : refused("Please give the reason.", 422);
      return done("The whole card is void. Its buyers get their 4 coins back, once.");
    },
    { question: VOID_CARD },
  );
