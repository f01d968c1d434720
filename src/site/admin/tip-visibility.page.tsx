import { textOf } from "#identity/identity.ui.tsx";
import { hideTip, showTip } from "#tipping/tipping.server.ts";
import type { Route } from "./+types/tip-visibility.page.ts";
import { act, done, refused } from "./act.server.ts";
import { reasonIn } from "./reason.input.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, async ({ admin, params, form }) => {
    const isActive = textOf(form, "active") === "yes";
    const answer = isActive
      ? await showTip(admin.id, params.tipId)
      : await hideTip(admin.id, params.tipId, reasonIn(form));
    if (!answer.ok)
      return answer.refusal === "deleted"
        ? refused("This tip has been deleted. It stays off sale.")
        : refused("There is no such tip.", 404);
    return done(
      isActive
        ? "The tip is active: it is on sale again until its card closes."
        : "The tip is inactive: it is off sale and off the lists. Its buyers keep it.",
    );
  });
