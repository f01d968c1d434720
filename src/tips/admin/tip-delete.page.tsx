import { act, done, refused } from "#admin-kit/admin-kit.server.ts";
import { DELETE_TIP, reasonIn } from "#admin-kit/admin-kit.ui.tsx";
import { deleteTip } from "../delete-tip.server.ts";
import type { Route } from "./+types/tip-delete.page.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(
    args,
    async ({ admin, params, form }) => {
      const answer = await deleteTip(admin.id, params.tipId, reasonIn(form));
      return answer.ok
        ? done("The tip is deleted: off sale and off the lists for good.")
        : refused("There is no such tip.", 404);
    },
    { question: DELETE_TIP },
  );
