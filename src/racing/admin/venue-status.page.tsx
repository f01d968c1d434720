import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { isId } from "#domain/id.ts";
import { readField } from "#platform/parse-form.ts";
import { setVenueActive } from "../set-venue-active.server.ts";
import type { Route } from "./+types/venue-status.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params, form }) => {
      const isActive = readField(form, "active") === "yes";
      if (!isId(params.venueId)) return actionRefused("Venue not found.", 404);
      const result = await setVenueActive(admin.id, params.venueId, isActive);
      if (!result.ok) return actionRefused("Venue not found.", 404);
      return actionSucceeded(isActive ? "Venue activated." : "Venue deactivated.");
    },
    { errorPrefix: "Failed to update venue status" },
  );
