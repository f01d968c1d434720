import { data } from "react-router";
import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { DialogOverList } from "#admin-kit/admin-kit.ui.tsx";
import { isId } from "#domain/id.ts";
import { pageMeta } from "#ui/page-meta.ts";
import { findVenue } from "../venues.server.ts";
import type { Route } from "./+types/venue-edit.page.ts";
import { saveVenue } from "./save-venue.server.ts";
import { VenueForm } from "./venue-form.ui.tsx";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Edit venue, Admin", description: "Change a venue.", isPrivate: true });

export async function loader({ params, context }: Route.LoaderArgs) {
  await requireAdmin(context);
  const venue = isId(params.venueId) ? await findVenue(params.venueId) : null;
  if (!venue) throw data(null, { status: 404 });
  return { venue };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  if (!isId(params.venueId)) throw data(null, { status: 404 });
  return await saveVenue(admin, { request, context }, params.venueId);
}

/** Dialog to edit a venue, over the list of venues. */
export default function VenueEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { venue } = loaderData;
  return (
    <DialogOverList title={`Edit ${venue.name}`} listPath="/admin/venues">
      {(close) => (
        <VenueForm
          action={`/admin/venues/${venue.id}`}
          venue={venue}
          result={actionData}
          close={close}
        />
      )}
    </DialogOverList>
  );
}
