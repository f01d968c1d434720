import * as v from "valibot";
import { readSessionToken } from "#accounts/accounts.server.ts";
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

/** POST /api/race-cards/:id/unlock: opens a race card for the signed-in caller. */
export async function unlock(c: HttpContext): Promise<Response> {
  const input = v.safeParse(unlockInput, await readBody(c));
  if (!input.success) return jsonError(c, 400, "The request doesn't match the API description.");
  const result = await unlockRaceCard(readSessionToken(c.req.raw), {
    raceCardId: c.req.param("id") ?? "",
    ...input.output,
  });
  if (result.ok)
    return jsonResponse(
      `{"coins":${result.balanceCoins},"alreadyOpen":${!result.isNew},"raceCount":${result.raceCount},"tips":${result.tipsJson}}`,
    );
  const { refusal } = result;
  const message = UNLOCK_REFUSAL_MESSAGES[refusal]({ ...result, prices: await readPrices() });
  return jsonError(c, STATUS_OF_REFUSAL[refusal], message, {
    refusal,
    ...(refusal === "races-run" ? { racesRun: result.racesRun } : {}),
  });
}

/** Reads the optional body and the Idempotency-Key header. */
async function readBody(c: HttpContext): Promise<unknown> {
  const text = contentLength(c) === 0 ? "" : (await c.req.text()).trim();
  const idempotencyKey = c.req.header("idempotency-key");
  if (text === "") return { idempotencyKey };
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body, idempotencyKey } : body;
  } catch {
    return text;
  }
}
