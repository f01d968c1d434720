import * as v from "valibot";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { creatorOrErrorResponse } from "../require-creator.server.ts";
import { changeCreatorPhoto, MAX_PHOTO_BYTES } from "./creator-photo.server.ts";
import { PHOTO_REFUSALS } from "./photo-results.ts";

const body = v.object({ imageData: v.string() });
// Matches only the prefix. V8 can run out of stack when a pattern repeats over megabytes.
const DATA_URL_PREFIX = /^data:image\/(?:jpeg|png|webp);base64,/;

/**
 * POST /.netlify/functions/update-tipster-profile-image: replaces the signed-in creator's photo.
 * Ignores the tipsterId that existing clients send.
 */
export async function updateTipsterProfileImage(c: HttpContext): Promise<Response> {
  const caller = await creatorOrErrorResponse(c);
  if (caller instanceof Response) return caller;
  const parsed = v.safeParse(body, await c.req.json().catch(() => null));
  if (!parsed.success) return jsonError(c, 400, "Send the photo as a data URL in imageData.");
  const { imageData } = parsed.output;
  // Base64 encodes three bytes in four characters. Rejects oversized input before parsing it.
  if (imageData.length > (MAX_PHOTO_BYTES * 4) / 3 + 100) return refuse(c, "too-large");
  const [prefix] = DATA_URL_PREFIX.exec(imageData) ?? [];
  if (!prefix) return refuse(c, "not-an-image");
  const bytes = Buffer.from(imageData.slice(prefix.length), "base64");
  const result = await changeCreatorPhoto(caller.creator.id, bytes);
  if (!result.ok) return refuse(c, result.refusal);
  c.header("Cache-Control", "no-store");
  return c.json({ success: true, profile_image: result.photo });
}

function refuse(c: HttpContext, refusal: keyof typeof PHOTO_REFUSALS): Response {
  const { status, message } = PHOTO_REFUSALS[refusal];
  return jsonError(c, status, message);
}
