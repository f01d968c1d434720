import * as v from "valibot";
import { sessionToken } from "#identity/identity.server.ts";
import {
  contentLength,
  type HttpContext,
  jsonError,
  jsonResponse,
} from "#platform/http/http.server.ts";
import { unlockInput } from "./unlock.input.ts";
import { unlockRaceCard } from "./unlock-race-card.server.ts";
import { STATUS_OF_REFUSAL, UNLOCK_REFUSAL_MESSAGES } from "./unlock-refusals.ts";

const MAX_KEY = 200;

/** Opens a race card for the signed-in caller: `{ coins, tips }`, or why not. */
export async function unlock(c: HttpContext): Promise<Response> {
  const body = await readBody(c);
  if (!body.success) return jsonError(c, 400, "The request doesn't match the API description.");
  const key = c.req.header("idempotency-key")?.slice(0, MAX_KEY);
  const answer = await unlockRaceCard(sessionToken(c.req.raw), {
    raceCardId: c.req.param("id") ?? "",
    idempotencyKey: key ?? null,
    acknowledgedRacesRun: body.output.racesRun ?? null,
  });
  if (answer.ok)
    return jsonResponse(
      `{"coins":${answer.balanceCoins},"alreadyOpen":${!answer.isNew},"tips":${answer.tipsJson}}`,
    );
  const { refusal } = answer;
  return jsonError(c, STATUS_OF_REFUSAL[refusal], UNLOCK_REFUSAL_MESSAGES[refusal](answer), {
    refusal,
    ...(refusal === "races-run" ? { racesRun: answer.racesRun } : {}),
  });
}

/** The body may be left out; then nobody is asked to confirm that some races are over. */
async function readBody(c: HttpContext) {
  const text = contentLength(c) === 0 ? "" : await c.req.text();
  let json: unknown = {};
  try {
    json = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    json = text;
  }
  return v.safeParse(unlockInput, json);
}
