import { textOf } from "#identity/identity.ui.tsx";
import { approveApplication } from "#tipping/tipping.server.ts";
import type { Route } from "./+types/application-approve.page.ts";
import { act, done, refused } from "./act.server.ts";
import { APPLICATION_REFUSALS } from "./application-words.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, async ({ admin, params, form }) => {
    const displayName = textOf(form, "displayName").trim();
    if (displayName.length < 2 || displayName.length > 60)
      return refused("A display name has 2 to 60 characters.", 422);
    const answer = await approveApplication(admin.id, params.applicationId, { displayName });
    if (!answer.ok) return refused(...APPLICATION_REFUSALS[answer.refusal]);
    return done("Approved. The mail with the link is on its way.");
  });
