import { isId } from "#domain/id.ts";
import { textOf } from "#identity/identity.ui.tsx";
import { setVenueActive } from "#racing/racing.server.ts";
import type { Route } from "./+types/venue-status.page.ts";
import { act, done, refused } from "./act.server.ts";

export {
  ActPage as default,
  actInBrowser as clientAction,
  actMeta as meta,
} from "./act-page.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  act(
    args,
    async ({ admin, params, form }) => {
      const isActive = textOf(form, "active") === "yes";
      if (!isId(params.venueId)) return refused("There is no such venue.", 404);
      const answer = await setVenueActive(admin.id, params.venueId, isActive);
      if (!answer.ok) return refused("There is no such venue.", 404);
      return done(isActive ? "The venue is active." : "The venue is inactive.");
    },
    { failed: "Failed to update venue status" },
  );
