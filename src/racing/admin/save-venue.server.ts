import * as v from "valibot";
import type { Viewer } from "#accounts/accounts.server.ts";
import { formSuccess, handleAdminForm } from "#admin-kit/admin-kit.server.ts";
import { addVenue } from "../add-venue.server.ts";
import { editVenue } from "../edit-venue.server.ts";
import { venueInput } from "../venue.input.ts";
import type { Route } from "./+types/venue-edit.page.ts";

const venueFormInput = v.object({
  ...venueInput.entries,
  // A browser sends nothing for a box that is not ticked.
  isActive: v.pipe(
    v.optional(v.unknown(), null),
    v.transform((value) => value !== null),
  ),
});

/** Handles the venue form: adds a venue, or changes the one with `venueId`. */
export async function saveVenue(
  admin: Viewer,
  { request, context }: Pick<Route.ActionArgs, "request" | "context">,
  venueId: string | null,
) {
  return await handleAdminForm(admin, {
    request,
    context,
    input: venueFormInput,
    run: (venue) => (venueId ? editVenue(admin.id, venueId, venue) : addVenue(admin.id, venue)),
    done: (_, { name }) => formSuccess(`${name} is ${venueId ? "saved" : "added"}.`),
    refusals: (refused) => {
      switch (refused.refusal) {
        case "no-such-venue":
          return ["This venue no longer exists.", 404];
        case "name-taken":
          return { errors: { name: "A venue with this name already exists" }, status: 409 };
        case "address-taken":
          return {
            errors: {
              name: `The address /tracks/${refused.slug} belongs to ${refused.venueName}. Enter another name.`,
            },
            status: 409,
          };
      }
    },
    failed: "Failed to save venue",
  });
}
