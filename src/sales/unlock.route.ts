import * as v from "valibot";
import { readSessionToken } from "#identity/identity.server.ts";
import {
  contentLength,
  type HttpContext,
  jsonError,
  jsonResponse,
} from "#platform/http/http.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { unlockInput } from "./unlock.input.ts";
import { STATUS_OF_REFUSAL, UNLOCK_REFUSAL_MESSAGES } from "./unlock-messages.ts";
import { unlockRaceCard } from "./unlock-race-card.server.ts";

const MAX_KEY_LENGTH = 200;

/** POST /api/race-cards/:id/unlock: opens a race card for the signed-in caller. */
export async function unlock(c: HttpContext): Promise<Response> {
  const body = await readBody(c);
  if (!body.success) return jsonError(c, 400, "The request doesn't match the API description.");
  const key = c.req.header("idempotency-key")?.slice(0, MAX_KEY_LENGTH);
  const result = await unlockRaceCard(readSessionToken(c.req.raw), {
    raceCardId: c.req.param("id") ?? "",
    idempotencyKey: key ?? null,
    acknowledgedRacesRun: body.output.acknowledgedRacesRun ?? null,
  });
  if (result.ok)
    return jsonResponse(
      `{"coins":${result.balanceCoins},"alreadyOpen":${!result.isNew},"tips":${result.tipsJson}}`,
    );
  const { refusal } = result;
  const message = UNLOCK_REFUSAL_MESSAGES[refusal]({ ...result, prices: await readPrices() });
  return jsonError(c, STATUS_OF_REFUSAL[refusal], message, {
    refusal,
    ...(refusal === "races-run" ? { racesRun: result.racesRun } : {}),
  });
}

/** Parses the optional body. Without it, races that have been run need no confirmation. */
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
