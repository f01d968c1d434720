import { randomUUID } from "node:crypto";
import { signWebhook } from "#payments/stripe/gateway.server.ts";
import type { ProviderEvent } from "#test/fake-provider.ts";
import { type Answer, ask } from "./http-client.ts";
import type { Arena } from "./scenario.ts";
import type { Person } from "./users.ts";

const CHECKOUT = "/.netlify/functions/create-checkout-session";

/** Opens a payment page for a signed-in buyer; throws where there is none to be had. */
export async function startCheckout(
  { web }: { web: { origin: string } },
  buyer: Person,
  { packageId = "value_8", key = randomUUID() } = {},
): Promise<string> {
  const answer = await ask(web.origin, CHECKOUT, checkoutRequest(buyer, packageId, key));
  return sessionIdOf(answer);
}

/** The request that opens a payment page; the key makes it one page however often it is sent. */
export function checkoutRequest(buyer: Person, packageId: string, key: string) {
  return { json: { packageId }, cookie: buyer.cookie, headers: { "idempotency-key": key } };
}

/** The same for a guest who wants one card. */
export function guestCheckoutRequest(guest: {
  email: string;
  raceCardId: string;
  key: string;
  from: string;
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
    from: guest.from,
  };
}

/** The session that an opened payment page is about. */
export function sessionIdOf(answer: Answer): string {
  if (answer.status !== 200) throw new Error(`no checkout: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text).sessionId;
}

/** Hands an event to the webhook, signed as the provider signs unless told otherwise. */
export async function deliver(
  { web }: { web: { origin: string } },
  event: ProviderEvent,
  { body = JSON.stringify(event), signature = signWebhook(body) } = {},
): Promise<Answer> {
  return await ask(web.origin, "/webhooks/stripe", {
    body,
    headers: { "content-type": "application/json", "stripe-signature": signature },
  });
}

/** What the product has made of a session, and what its buyer holds. */
export async function creditsOf(arena: Arena, sessionId: string) {
  const { rows } = await arena.db.query<{ purchases: number; posted: number; coins: number }>(
    `select count(*)::int as purchases,
       (select count(*)::int from ledger_transactions where kind = 'purchase' and reference = $1) as posted,
       coalesce((select balance_coins from wallets w join orders o on o.user_id = w.user_id
         where o.session_id = $1), 0) as coins
     from coin_purchases where stripe_session_id = $1`,
    [sessionId],
  );
  return rows[0] ?? { purchases: 0, posted: 0, coins: 0 };
}
