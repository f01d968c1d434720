import * as v from "valibot";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { isWithinLimit } from "#platform/rate-limits.server.ts";
import { validationMessage } from "#platform/validation-message.ts";
import { applicationInput, REQUIRED_FIELDS_MISSING } from "./application.input.ts";
import {
  APPLICATION_LIMIT,
  applicationLimitKey,
  NAME_TAKEN,
  TOO_MANY_APPLICATIONS,
} from "./application-messages.ts";
import { applyAsTipster } from "./apply-as-tipster.server.ts";

/** Maps the field names of existing clients. */
const body = v.pipe(
  v.looseObject({}),
  v.transform((value) => ({
    ...value,
    experienceYears: value.experienceYears ?? value.experience,
    favouriteTracks: joinTracks(value.favouriteTracks ?? value.favoriteTracks),
  })),
  applicationInput,
);

/** Converts a list of tracks, which some clients send, to text. */
function joinTracks(tracks: unknown): unknown {
  return Array.isArray(tracks) && tracks.every((track) => typeof track === "string")
    ? tracks.join(", ")
    : tracks;
}

/**
 * POST /.netlify/functions/send-tipster-application: stores an application and notifies the
 * operator.
 */
export async function sendTipsterApplication(c: HttpContext): Promise<Response> {
  const { clientAddress } = c.get("requestDetails");
  if (!(await isWithinLimit(applicationLimitKey(clientAddress), APPLICATION_LIMIT)))
    return jsonError(c, 429, TOO_MANY_APPLICATIONS);
  const json: unknown = await c.req.json().catch(() => undefined);
  if (json === undefined) return jsonError(c, 400, "Send the application as JSON.");
  const parsed = v.safeParse(body, json);
  if (!parsed.success) {
    const messages = parsed.issues.map((issue) => issue.message);
    return jsonError(
      c,
      422,
      messages.includes(REQUIRED_FIELDS_MISSING)
        ? REQUIRED_FIELDS_MISSING
        : validationMessage(parsed.issues),
    );
  }
  const result = await applyAsTipster(parsed.output);
  return result.ok ? c.json({ success: true }) : jsonError(c, 409, NAME_TAKEN);
}
