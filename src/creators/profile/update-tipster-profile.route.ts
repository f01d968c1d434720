import * as v from "valibot";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { validationMessage } from "#platform/validation-message.ts";
import { NAME_TAKEN } from "../applications/application-messages.ts";
import { type Creator, findCreator } from "../creator.server.ts";
import { creatorOrErrorResponse } from "../require-creator.server.ts";
import { editCreatorInput } from "./edit-creator.input.ts";
import { editCreator } from "./edit-creator.server.ts";

/**
 * POST /.netlify/functions/update-tipster-profile: changes the signed-in creator's profile. Ignores
 * the tipsterId that existing clients send; missing fields keep their values.
 */
export async function updateTipsterProfile(c: HttpContext): Promise<Response> {
  const caller = await creatorOrErrorResponse(c);
  if (caller instanceof Response) return caller;
  const json: unknown = await c.req.json().catch(() => undefined);
  if (json === undefined) return jsonError(c, 400, "Send the profile as JSON.");
  const { specialization, bio } = caller.creator;
  const body = typeof json === "object" ? json : {};
  const parsed = v.safeParse(editCreatorInput, { specialization, bio, ...body });
  if (!parsed.success) return jsonError(c, 422, validationMessage(parsed.issues));
  const result = await editCreator(caller.creator.id, parsed.output);
  if (!result.ok)
    return result.refusal === "display-name-taken"
      ? jsonError(c, 409, NAME_TAKEN)
      : jsonError(c, 403, "Only tipsters and analysts can do this.");
  const creator = (await findCreator(caller.creator.id)) ?? caller.creator;
  c.header("Cache-Control", "no-store");
  return c.json({ success: true, tipster: toApiTipster(creator, caller.viewer.email) });
}

/** Maps a creator to the field names of existing clients. */
function toApiTipster(creator: Creator, email: string) {
  return {
    id: creator.id,
    email,
    name: creator.name,
    specialization: creator.specialization,
    bio: creator.bio,
    profile_image: creator.photo,
    is_active: creator.suspendedAt === null,
    is_approved: true,
    total_tips: creator.record.tips,
    winning_tips: creator.record.won,
    win_rate: creator.winRate,
  };
}
