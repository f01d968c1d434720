import * as v from "valibot";
import { handleForm } from "#platform/handle-form.server.ts";
import { changeCreatorPhoto, MAX_PHOTO_BYTES } from "./creator-photo.server.ts";
import { PHOTO_REFUSALS } from "./photo-results.ts";

const input = v.object({ photo: v.pipe(v.file(), v.minSize(1)) });

/** Handles the photo form. Ignores the file's name and declared type. */
export async function handlePhoto(creatorId: string, form: FormData) {
  return await handleForm(form, {
    input,
    invalid: () => ["Please choose a photo first.", 422],
    check: ({ photo }) => (photo.size > MAX_PHOTO_BYTES ? PHOTO_REFUSALS["too-large"] : null),
    run: async ({ photo }) =>
      await changeCreatorPhoto(creatorId, new Uint8Array(await photo.arrayBuffer())),
    done: (result) => result,
    refusals: PHOTO_REFUSALS,
  });
}
