import { withdrawInvitation } from "#tipping/tipping.server.ts";
import type { Route } from "./+types/invitation-withdraw.page.ts";
import { act, done, refused } from "./act.server.ts";
import { withdrawQuestion } from "./questions.ts";
import { refusalWords } from "./refusal-words.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(
    args,
    async ({ admin, params }) => {
      const answer = await withdrawInvitation(admin.id, params.userId);
      return answer.ok
        ? done("Withdrawn: nobody waits for their answer.")
        : refused(...REFUSALS[answer.refusal]);
    },
    { question: withdrawQuestion("this analyst") },
  );

const REFUSALS = refusalWords({
  "no-such-invitation": ["There is no such invitation.", 404],
  accepted: ["It was accepted already: suspend them where they should not write.", 409],
});
