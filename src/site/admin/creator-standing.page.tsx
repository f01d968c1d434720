import { textOf } from "#identity/identity.ui.tsx";
import { reinstateCreator, suspendCreator } from "#tipping/tipping.server.ts";
import type { Route } from "./+types/creator-standing.page.ts";
import { act, done, refused } from "./act.server.ts";
import { suspendQuestion } from "./questions.ts";
import { reasonIn } from "./reason.input.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export async function action(args: Route.ActionArgs) {
  const form = await args.request.clone().formData();
  const isSuspending = textOf(form, "suspended") === "yes";
  return await act(
    args,
    async ({ admin, params }) => {
      const answer = isSuspending
        ? await suspendCreator(admin.id, params.creatorId, reasonIn(form))
        : await reinstateCreator(admin.id, params.creatorId);
      if (!answer.ok) return refused("There is no such tipster.", 404);
      return done(
        isSuspending
          ? "Suspended: the cards are off sale, and nothing new is published. Earnings stay in reach."
          : "Reinstated: the cards are on sale again, and new ones can be published.",
      );
    },
    { question: isSuspending ? suspendQuestion("this tipster") : undefined },
  );
}
