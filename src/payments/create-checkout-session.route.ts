import * as v from "valibot";
import { findViewerByRequest } from "#accounts/accounts.server.ts";
import { GUEST_DEAL, type PriceList } from "#domain/coin-packs.ts";
import { env } from "#platform/env.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { validationMessage } from "#platform/validation-message.ts";
import { findRaceCardOfTip, findRaceCardOnSale } from "#tips/tips.server.ts";
import { readPrices } from "#wallet/wallet.server.ts";
import { createIdempotencyKey } from "./checkout-form.ts";
import { refusalMessage, refusalStatus, SIGN_IN_REQUIRED_MESSAGE } from "./messages.ts";
import { type CreateCheckoutSession, createCheckoutSessionInput } from "./purchase.input.ts";
import { type StartedGuestPurchase, startGuestPurchase } from "./start-guest-purchase.server.ts";
import { type StartedPurchase, startPurchase } from "./start-purchase.server.ts";

const NOT_AGREED_MESSAGE =
  "userRegistration.agreed must be true. Ask the guest to confirm that they are 18 or older and agree to the terms.";

/**
 * POST /.netlify/functions/create-checkout-session: returns `{ sessionId, url }` for a coin pack of the
 * signed-in caller, or for one race card of a guest. Requests with the same Idempotency-Key have one effect.
 */
export async function createCheckoutSession(c: HttpContext): Promise<Response> {
  const parsed = v.safeParse(createCheckoutSessionInput, await c.req.json().catch(() => null));
  if (!parsed.success) return jsonError(c, 400, validationMessage(parsed.issues));
  const body = parsed.output;
  const mismatch = findMismatch(body, await readPrices());
  if (mismatch) return jsonError(c, 422, mismatch);

  const viewer = await findViewerByRequest(c.req.raw);
  const isGuestDeal = body.packageId === GUEST_DEAL.id;
  if (isGuestDeal && !viewer) return await respond(c, await startForGuest(c, body));
  if (!viewer) return jsonError(c, 401, SIGN_IN_REQUIRED_MESSAGE);
  return await respond(
    c,
    await startPurchase({
      viewer,
      coinPackId: body.packageId,
      idempotencyKey: readIdempotencyKey(c),
      returnTo: toPath(body.cancelUrl),
    }),
  );
}

/** Describes the first field that contradicts the price list or links to another site; null when none does. */
function findMismatch(
  body: CreateCheckoutSession,
  { coinPacks, guestDeal }: PriceList,
): string | null {
  const pack = [...coinPacks, guestDeal].find(({ id }) => id === body.packageId);
  if (!pack) return refusalMessage("no-such-coin-pack");
  if (body.price !== undefined && body.price * 100 !== pack.priceCents)
    return "price does not match the coin pack";
  if (body.coins !== undefined && body.coins !== pack.amountCoins)
    return "coins does not match the coin pack";
  if (body.currency !== undefined && body.currency.toUpperCase() !== "ZAR")
    return "currency must be ZAR";
  for (const name of ["successUrl", "cancelUrl"] as const) {
    const value = body[name];
    if (value !== undefined && !isSameOriginUrl(value))
      return `${name} must be an address on this site`;
  }
  return null;
}

function isSameOriginUrl(url: string): boolean {
  const { appUrl } = env();
  return URL.canParse(url, appUrl) && new URL(url, appUrl).origin === new URL(appUrl).origin;
}

function toPath(url: string | undefined): string {
  if (url === undefined) return "/";
  const { pathname, search } = new URL(url, env().appUrl);
  return pathname + search;
}

async function startForGuest(
  c: HttpContext,
  { tipToUnlock, userRegistration: guest, cancelUrl }: CreateCheckoutSession,
): Promise<StartedGuestPurchase | "incomplete" | "not-agreed"> {
  if (!tipToUnlock || !guest) return "incomplete";
  if (!guest.agreed) return "not-agreed";
  const raceCard = await findRaceCardOnSale(tipToUnlock);
  const raceCardId = raceCard?.id ?? (await findRaceCardOfTip(tipToUnlock)) ?? tipToUnlock;
  return await startGuestPurchase({
    raceCardId,
    ...guest,
    idempotencyKey: readIdempotencyKey(c),
    clientAddress: c.get("requestDetails").clientAddress,
    returnTo: toPath(cancelUrl),
    request: c.req.raw,
    // API clients do not acknowledge races that have been run.
    acknowledgedRacesRun: 12,
  });
}

function readIdempotencyKey(c: HttpContext): string {
  const value = c.req.header("idempotency-key");
  return value && value.length <= 200 ? `key:${value}` : createIdempotencyKey();
}

async function respond(
  c: HttpContext,
  result: StartedPurchase | StartedGuestPurchase | "incomplete" | "not-agreed",
): Promise<Response> {
  if (result === "incomplete")
    return jsonError(c, 400, "tipToUnlock and userRegistration are missing");
  if (result === "not-agreed") return jsonError(c, 422, NOT_AGREED_MESSAGE);
  if (!result.ok)
    return jsonError(c, refusalStatus(result.refusal), refusalMessage(result.refusal));
  if ("setCookie" in result) c.header("Set-Cookie", result.setCookie);
  c.header("Cache-Control", "no-store");
  return c.json({ sessionId: result.sessionId, url: result.redirectUrl });
}
