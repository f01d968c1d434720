import * as v from "valibot";
import { readForm } from "#identity/identity.ui.tsx";
import { voidRaceCard } from "#race-cards/race-cards.server.ts";
import type { Route } from "./+types/race-card-void.page.ts";
import { act, done, refused } from "./act.server.ts";
import { VOID_CARD } from "./questions.ts";
import { reasonInput } from "./reason.input.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

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
