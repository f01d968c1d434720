import * as v from "valibot";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { withinLimit } from "#platform/rate-limits.server.ts";
import { validationMessage } from "#platform/validation-message.ts";
import { applicationInput, MISSING } from "./application.input.ts";
import {
  APPLICATIONS,
  applicationKey,
  NAME_TAKEN,
  TOO_MANY_APPLICATIONS,
} from "./application-messages.ts";
import { applyAsTipster } from "./apply-as-tipster.server.ts";

/** The application by the names that existing clients know its fields by. */
const body = v.pipe(
  v.looseObject({}),
  v.transform((given) => ({
    ...given,
    experienceYears: given.experienceYears ?? given.experience,
    favouriteTracks: inOneLine(given.favouriteTracks ?? given.favoriteTracks),
  })),
  applicationInput,
);

/** Some clients send a list. */
function inOneLine(tracks: unknown): unknown {
  return Array.isArray(tracks) && tracks.every((track) => typeof track === "string")
    ? tracks.join(", ")
    : tracks;
}

/** POST /.netlify/functions/send-tipster-application: files it for the operator, who is told. */
export async function sendTipsterApplication(c: HttpContext): Promise<Response> {
  const { clientAddress } = c.get("facts");
  if (!(await withinLimit(applicationKey(clientAddress), APPLICATIONS)))
    return jsonError(c, 429, TOO_MANY_APPLICATIONS);
  const json: unknown = await c.req.json().catch(() => undefined);
  if (json === undefined) return jsonError(c, 400, "Send the application as JSON.");
  const read = v.safeParse(body, json);
  if (!read.success) {
    const said = read.issues.map((issue) => issue.message);
    return jsonError(c, 422, said.includes(MISSING) ? MISSING : validationMessage(read.issues));
  }
  const answer = await applyAsTipster(read.output);
  return answer.ok ? c.json({ success: true }) : jsonError(c, 409, NAME_TAKEN);
}
