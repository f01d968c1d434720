import * as v from "valibot";
import { sessionToken } from "#identity/identity.server.ts";
import { type HttpContext, jsonError, readyJson, toldLength } from "#platform/http.server.ts";
import { unlockInput } from "./unlock.input.ts";
import { unlockRaceCard } from "./unlock-race-card.server.ts";
import { REFUSAL_WORDS, STATUS_OF_REFUSAL } from "./unlock-refusals.ts";

const MAX_KEY = 200;

/** Opens a race card for the signed-in caller: `{ coins, tips }`, or why not. */
export async function unlock(c: HttpContext): Promise<Response> {
  const body = await readBody(c);
  if (!body.success) return jsonError(c, 400, "The request is not as described.");
  const key = c.req.header("idempotency-key")?.slice(0, MAX_KEY);
  const answer = await unlockRaceCard(sessionToken(c.req.raw), {
    raceCardId: c.req.param("id") ?? "",
    requestKey: key ?? null,
    seenRun: body.output.racesRun ?? null,
  });
  if (answer.ok)
    return readyJson(
      `{"coins":${answer.balanceCoins},"alreadyOpen":${!answer.isNew},"tips":${answer.tipsJson}}`,
    );
  const { refusal } = answer;
  return jsonError(c, STATUS_OF_REFUSAL[refusal], REFUSAL_WORDS[refusal](answer), {
    refusal,
    ...(refusal === "races-run" ? { racesRun: answer.racesRun } : {}),
  });
}

/** The body may be left out; then nobody is asked to confirm that some races are over. */
async function readBody(c: HttpContext) {
  const text = toldLength(c) === 0 ? "" : await c.req.text();
  let json: unknown = {};
  try {
    json = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    json = text;
  }
  return v.safeParse(unlockInput, json);
}
