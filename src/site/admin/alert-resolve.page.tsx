import { act, done, refused } from "#admin-kit/admin-kit.server.ts";
import type { Route } from "./+types/alert-resolve.page.ts";
import { resolveAlert } from "./resolve-alert.server.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(args, async ({ admin, params }) => {
    const answer = await resolveAlert(admin.id, params.alertId);
    return answer.ok ? done("Dealt with.") : refused("There is no such alert.", 404);
  });
