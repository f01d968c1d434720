import { actionRefused, actionSucceeded, runAdminAction } from "#admin-kit/admin-kit.server.ts";
import { deleteVenueConfirmation } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import { now } from "#platform/clock.server.ts";
import { deleteVenue, findVenue } from "#racing/racing.server.ts";
import { countOnSale } from "#tips/tips.server.ts";
import type { Route } from "./+types/venue-delete.page.ts";

export {
  AdminActionPage as default,
  adminActionMeta as meta,
  adminClientAction as clientAction,
} from "#admin-kit/admin-kit.ui.tsx";

async function buildConfirmation(venueId: string) {
  const venue = isId(venueId) ? await findVenue(venueId) : null;
  if (!venue) return null;
  const { venues } = await countOnSale(now());
  const onSale = venues.find((candidate) => candidate.venueId === venueId);
  return deleteVenueConfirmation(venue.name, onSale ?? { tips: 0, raceCards: 0 });
}

export const action = (args: Route.ActionArgs) =>
  runAdminAction(
    args,
    async ({ admin, params }) => {
      if (!isId(params.venueId)) return actionRefused("Venue not found.", 404);
      const result = await deleteVenue(admin.id, params.venueId);
      return result.ok
        ? actionSucceeded("Venue deleted. Existing race cards and records still show its name.")
        : actionRefused("Venue not found.", 404);
    },
    {
      confirmation: ({ params }) => buildConfirmation(params.venueId),
      errorPrefix: "Failed to delete venue",
    },
  );
