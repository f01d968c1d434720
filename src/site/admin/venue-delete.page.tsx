import { isId } from "#domain/id.ts";
import { deleteVenue } from "#racing/racing.server.ts";
import type { Route } from "./+types/venue-delete.page.ts";
import { act, done, refused } from "./act.server.ts";
import { DELETE_VENUE } from "./questions.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(
    args,
    async ({ admin, params }) => {
      if (!isId(params.venueId)) return refused("There is no such venue.", 404);
      const answer = await deleteVenue(admin.id, params.venueId);
      return answer.ok
        ? done("The venue is deleted. Cards and records that name it keep it.")
        : refused("There is no such venue.", 404);
    },
    { question: DELETE_VENUE, failed: "Failed to delete venue" },
  );
