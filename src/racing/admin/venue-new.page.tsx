import { requireAdmin } from "#admin-kit/admin-kit.server.ts";
import { DialogOverList } from "#admin-kit/admin-kit.ui.tsx";
import { pageMeta } from "#ui/page-meta.ts";
import type { Route } from "./+types/venue-new.page.ts";
import { saveVenue } from "./save-venue.server.ts";
import { VenueForm } from "./venue-form.ui.tsx";

export { adminFormClientAction as clientAction } from "#admin-kit/admin-kit.ui.tsx";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Add venue, Admin", description: "Add a venue.", isPrivate: true });

export async function loader({ context }: Route.LoaderArgs) {
  await requireAdmin(context);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const admin = await requireAdmin(context);
  return await saveVenue(admin, { request, context }, null);
}

/** Dialog to add a venue, over the list of venues. */
export default function VenueNew({ actionData }: Route.ComponentProps) {
  return (
    <DialogOverList title="Add venue" listPath="/admin/venues">
      {(close) => <VenueForm action="/admin/venues/new" result={actionData} close={close} />}
    </DialogOverList>
  );
}
