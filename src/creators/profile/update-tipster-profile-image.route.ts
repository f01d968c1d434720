import * as v from "valibot";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { creatorOrErrorResponse } from "../require-creator.server.ts";
import { changeCreatorImage, MAX_IMAGE_BYTES } from "./creator-image.server.ts";
import { IMAGE_REFUSALS } from "./photo-results.ts";

const body = v.object({ imageData: v.string() });
const DATA_URL = /^data:image\/(?:jpeg|png|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * POST /.netlify/functions/update-tipster-profile-image: another photo for the signed-in creator. The
 * tipsterId that existing clients send is not looked at.
 */
export async function updateTipsterProfileImage(c: HttpContext): Promise<Response> {
  const caller = await creatorOrErrorResponse(c);
  if (caller instanceof Response) return caller;
  const read = v.safeParse(body, await c.req.json().catch(() => null));
  if (!read.success) return jsonError(c, 400, "Send the photo as a data URL in imageData.");
  const { imageData } = read.output;
  // Four characters carry three bytes; what is plainly too long is not even looked through.
  if (imageData.length > (MAX_IMAGE_BYTES * 4) / 3 + 100) return refuse(c, "too-large");
  const [, base64] = DATA_URL.exec(imageData) ?? [];
  if (!base64) return refuse(c, "not-an-image");
  const answer = await changeCreatorImage(caller.creator.id, Buffer.from(base64, "base64"));
  if (!answer.ok) return refuse(c, answer.refusal);
  c.header("Cache-Control", "no-store");
  return c.json({ success: true, profile_image: answer.profileImage });
}

function refuse(c: HttpContext, refusal: keyof typeof IMAGE_REFUSALS): Response {
  const { status, words } = IMAGE_REFUSALS[refusal];
  return jsonError(c, status, words);
}
