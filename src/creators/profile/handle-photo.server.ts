import { data } from "react-router";
import { changeCreatorImage, MAX_IMAGE_BYTES } from "./creator-image.server.ts";
import { IMAGE_REFUSALS, type PhotoFormResult } from "./photo-results.ts";

/** Handles the photo form. Ignores the file's name and declared type. */
export async function handlePhoto(creatorId: string, form: FormData) {
  const photo = form.get("photo");
  if (!(photo instanceof File) || photo.size === 0)
    return data<PhotoFormResult>(
      { ok: false, message: "Please choose a photo first." },
      { status: 422 },
    );
  const result =
    photo.size > MAX_IMAGE_BYTES
      ? ({ ok: false, refusal: "too-large" } as const)
      : await changeCreatorImage(creatorId, new Uint8Array(await photo.arrayBuffer()));
  if (result.ok) return data<PhotoFormResult>(result);
  const { status, message } = IMAGE_REFUSALS[result.refusal];
  return data<PhotoFormResult>({ ok: false, message: message }, { status });
}
