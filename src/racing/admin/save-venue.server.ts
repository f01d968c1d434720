import { formError, formSuccess, withFormError } from "#admin-kit/admin-kit.server.ts";
import { parseForm } from "#platform/parse-form.ts";
import { addVenue } from "../add-venue.server.ts";
import { editVenue } from "../edit-venue.server.ts";
import { venueInput } from "../venue.input.ts";

/** Handles the venue form: adds a venue, or changes the one with `venueId`. */
export async function saveVenue(actorId: string, form: FormData, venueId: string | null) {
  const isActive = form.has("isActive");
  form.delete("isActive");
  const parsed = parseForm(venueInput, form);
  if (isActive) form.set("isActive", "on");
  if (!parsed.ok) return formError(form, { errors: parsed.errors });
  const venue = { ...parsed.values, isActive };
  return await withFormError(form, "Failed to save venue", async () => {
    const result = venueId
      ? await editVenue(actorId, venueId, venue)
      : await addVenue(actorId, venue);
    if (result.ok) return formSuccess(`${venue.name} is ${venueId ? "saved" : "added"}.`);
    return result.refusal === "name-taken"
      ? formError(form, { errors: { name: "A venue with this name already exists" }, status: 409 })
      : formError(form, { message: "This venue no longer exists.", status: 404 });
  });
}
