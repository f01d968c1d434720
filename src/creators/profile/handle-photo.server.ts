import * as v from "valibot";
import { handleForm } from "#platform/handle-form.server.ts";
import { changeCreatorImage, MAX_IMAGE_BYTES } from "./creator-image.server.ts";
import { IMAGE_REFUSALS } from "./photo-results.ts";

const input = v.object({ photo: v.pipe(v.file(), v.minSize(1)) });

/** Handles the photo form. Ignores the file's name and declared type. */
export async function handlePhoto(creatorId: string, form: FormData) {
  return await handleForm(form, {
    input,
    invalid: () => ["Please choose a photo first.", 422],
    check: ({ photo }) => (photo.size > MAX_IMAGE_BYTES ? IMAGE_REFUSALS["too-large"] : null),
    run: async ({ photo }) =>
      await changeCreatorImage(creatorId, new Uint8Array(await photo.arrayBuffer())),
    done: (result) => result,
    refusals: IMAGE_REFUSALS,
  });
}
