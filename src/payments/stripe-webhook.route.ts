import { type HttpContext, jsonError } from "#platform/http.server.ts";
import { GatewayError, verifyWebhook } from "./gateway.server.ts";
import { handleEvent } from "./handle-event.server.ts";
import { inTurn } from "./in-turn.server.ts";

/**
 * POST /webhooks/stripe: the provider's signed events. 2xx only when what an event tells is committed;
 * anything else makes the provider send it again.
 */
export async function stripeWebhook(c: HttpContext): Promise<Response> {
  const rawBody = await c.req.text();
  const event = verifyWebhook(rawBody, c.req.header("stripe-signature"));
  if (!event) return jsonError(c, 400, "This is not a signed event of our payment provider.");
  try {
    await inTurn(event.id, () => handleEvent(event));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return jsonError(c, 503, "The payment provider does not answer. Please send this again.");
  }
  return c.json({ received: true });
}
