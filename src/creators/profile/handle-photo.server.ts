import { data } from "react-router";
import { changeCreatorImage, MAX_IMAGE_BYTES } from "./creator-image.server.ts";
import { IMAGE_REFUSALS, type PhotoFormResult } from "./photo-results.ts";

/** Answers the form of a creator's photo. The file's name and what it says it is are not looked at. */
export async function handlePhoto(creatorId: string, form: FormData) {
  const photo = form.get("photo");
  if (!(photo instanceof File) || photo.size === 0)
    return data<PhotoFormResult>(
      { ok: false, message: "Please choose a photo first." },
      { status: 422 },
    );
  const answer =
    photo.size > MAX_IMAGE_BYTES
      ? ({ ok: false, refusal: "too-large" } as const)
      : await changeCreatorImage(creatorId, new Uint8Array(await photo.arrayBuffer()));
  if (answer.ok) return data<PhotoFormResult>(answer);
  const { status, words } = IMAGE_REFUSALS[answer.refusal];
  return data<PhotoFormResult>({ ok: false, message: words }, { status });
}
