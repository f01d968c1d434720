import * as v from "valibot";
import { findCoinPack, GUEST_DEAL } from "#domain/coin-packs.ts";
import { readViewer } from "#identity/identity.server.ts";
import { env } from "#platform/env.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { validationMessage } from "#platform/validation-message.ts";
import { findRaceCardOfTip, findRaceCardOnSale } from "#tips/tips.server.ts";
import { newIdempotencyKey } from "./checkout-form.ts";
import { PLEASE_LOG_IN, refusalMessage, refusalStatus } from "./messages.ts";
import { type CreateCheckoutSession, createCheckoutSessionInput } from "./purchase.input.ts";
import { type StartedGuestPurchase, startGuestPurchase } from "./start-guest-purchase.server.ts";
import { type StartedPurchase, startPurchase } from "./start-purchase.server.ts";

const NOT_AGREED =
  "userRegistration.agreed must be true. Ask the guest to confirm that they are 18 or older and agree to the terms.";

/**
 * POST /.netlify/functions/create-checkout-session: returns `{ sessionId, url }` for a coin pack of the
 * signed-in caller, or for one race card of a guest. Requests with the same Idempotency-Key have one effect.
 */
export async function createCheckoutSession(c: HttpContext): Promise<Response> {
  const read = v.safeParse(createCheckoutSessionInput, await c.req.json().catch(() => null));
  if (!read.success) return jsonError(c, 400, validationMessage(read.issues));
  const body = read.output;
  const mismatch = findMismatch(body);
  if (mismatch) return jsonError(c, 422, mismatch);

  const viewer = await readViewer(c.req.raw);
  const isGuestDeal = body.packageId === GUEST_DEAL.id;
  if (isGuestDeal && !viewer) return await answer(c, await startForGuest(c, body));
  if (!viewer) return jsonError(c, 401, PLEASE_LOG_IN);
  return await answer(
    c,
    await startPurchase({
      viewer,
      packageId: body.packageId,
      idempotencyKey: idempotencyKeyOf(c),
      returnTo: pathOf(body.cancelUrl),
    }),
  );
}

/** Describes the first field that contradicts the price list or links to another site; null when none does. */
function findMismatch(body: CreateCheckoutSession): string | null {
  const pack = findCoinPack(body.packageId);
  if (!pack) return refusalMessage("no-such-package");
  if (body.price !== undefined && body.price * 100 !== pack.priceCents)
    return "price does not match the package";
  if (body.coins !== undefined && body.coins !== pack.amountCoins)
    return "coins does not match the package";
  if (body.currency !== undefined && body.currency.toUpperCase() !== "ZAR")
    return "currency must be ZAR";
  for (const name of ["successUrl", "cancelUrl"] as const) {
    const given = body[name];
    if (given !== undefined && !isOwnUrl(given)) return `${name} must be an address on this site`;
  }
  return null;
}

function isOwnUrl(address: string): boolean {
  const { appUrl } = env();
  return (
    URL.canParse(address, appUrl) && new URL(address, appUrl).origin === new URL(appUrl).origin
  );
}

function pathOf(address: string | undefined): string {
  if (address === undefined) return "/";
  const { pathname, search } = new URL(address, env().appUrl);
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
    idempotencyKey: idempotencyKeyOf(c),
    clientAddress: c.get("requestDetails").clientAddress,
    returnTo: pathOf(cancelUrl),
    request: c.req.raw,
    // API clients do not acknowledge races that have been run.
    acknowledgedRacesRun: 12,
  });
}

function idempotencyKeyOf(c: HttpContext): string {
  const given = c.req.header("idempotency-key");
  return given && given.length <= 200 ? `key:${given}` : newIdempotencyKey();
}

async function answer(
  c: HttpContext,
  started: StartedPurchase | StartedGuestPurchase | "incomplete" | "not-agreed",
): Promise<Response> {
  if (started === "incomplete")
    return jsonError(c, 400, "tipToUnlock and userRegistration are missing");
  if (started === "not-agreed") return jsonError(c, 422, NOT_AGREED);
  if (!started.ok)
    return jsonError(c, refusalStatus(started.refusal), refusalMessage(started.refusal));
  if ("setCookie" in started) c.header("Set-Cookie", started.setCookie);
  c.header("Cache-Control", "no-store");
  return c.json({ sessionId: started.sessionId, url: started.checkoutUrl });
}
