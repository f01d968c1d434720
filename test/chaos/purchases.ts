import { randomUUID } from "node:crypto";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import type { ProviderEvent } from "#test/fake-provider.ts";
import { type ClientResponse, sendRequest } from "./http-client.ts";
import type { Environment } from "./scenario.ts";
import type { TestUser } from "./users.ts";

const CHECKOUT = "/.netlify/functions/create-checkout-session";

/** Starts a checkout for a signed-in buyer and returns its session id. Throws when refused. */
export async function startCheckout(
  { web }: { web: { origin: string } },
  buyer: TestUser,
  { coinPackId = "value_8", key = randomUUID() } = {},
): Promise<string> {
  const response = await sendRequest(web.origin, CHECKOUT, checkoutRequest(buyer, coinPackId, key));
  return readSessionId(response);
}

/** Returns the checkout request. Repeats with the same idempotency key get the same session. */
export function checkoutRequest(buyer: TestUser, coinPackId: string, key: string) {
  return {
    json: { packageId: coinPackId },
    cookie: buyer.cookie,
    headers: { "idempotency-key": key },
  };
}

/** Returns the checkout request of a guest who buys one race card. */
export function guestCheckoutRequest(guest: {
  email: string;
  raceCardId: string;
  key: string;
  clientAddress: string;
}) {
  return {
    json: {
      packageId: "unlock_tip_starter",
      tipToUnlock: guest.raceCardId,
      userRegistration: {
        email: guest.email,
        name: "Guest",
        password: "horses run on turf",
        agreed: true,
      },
    },
    headers: { "idempotency-key": guest.key },
    clientAddress: guest.clientAddress,
  };
}

/** Returns the session id from a checkout response; throws unless its status is 200. */
export function readSessionId(response: ClientResponse): string {
  if (response.status !== 200) throw new Error(`no checkout: ${response.status} ${response.text}`);
  return JSON.parse(response.text).sessionId;
}

/** Delivers an event to the webhook, by default with a valid signature. */
export async function deliver(
  { web }: { web: { origin: string } },
  event: ProviderEvent,
  { body = JSON.stringify(event), signature = signWebhook(body) } = {},
): Promise<ClientResponse> {
  return await sendRequest(web.origin, "/webhooks/stripe", {
    body,
    headers: { "content-type": "application/json", "stripe-signature": signature },
  });
}

/** Reads the purchases and postings of a session, and its buyer's balance. */
export async function readCredits(environment: Environment, sessionId: string) {
  const { rows } = await environment.db.query<{ purchases: number; posted: number; coins: number }>(
    `select count(*)::int as purchases,
       (select count(*)::int from ledger_transactions where kind = 'purchase' and reference = $1) as posted,
       coalesce((select balance_coins from wallets w join orders o on o.user_id = w.user_id
         where o.session_id = $1), 0) as coins
     from coin_purchases where session_id = $1`,
    [sessionId],
  );
  return rows[0] ?? { purchases: 0, posted: 0, coins: 0 };
}
