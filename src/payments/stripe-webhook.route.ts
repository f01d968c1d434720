import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { handleWebhookEvent } from "./handle-webhook-event.server.ts";
import { GatewayError, type RejectedWebhook, verifyWebhook } from "./stripe/gateway.server.ts";
import { withConcurrencyLimit } from "./with-concurrency-limit.server.ts";

/**
 * POST /webhooks/stripe: receives the provider's signed events. Returns 2xx only after the effect of the
 * event is committed; on any other status the provider retries the delivery.
 */
export async function stripeWebhook(c: HttpContext): Promise<Response> {
  const rawBody = await c.req.text();
  const signature = c.req.header("stripe-signature");
  const verified = verifyWebhook(rawBody, signature);
  if (!verified.ok) {
    await alertAboutRejection(verified, signature);
    return jsonError(c, 400, "Invalid webhook signature.");
  }
  const { event } = verified;
  try {
    await withConcurrencyLimit(event.id, () => handleWebhookEvent(event));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return jsonError(c, 503, "The payment provider is not responding. Please retry.");
  }
  return c.json({ received: true });
}

/** Anyone can post an unsigned body; only a header in the provider's format raises an alert. */
const SIGNATURE_FORMAT = /^t=\d+,v1=[0-9a-f]{64}/;
const HOUR_MS = 60 * 60 * 1000;

async function alertAboutRejection(
  { problem, eventId }: RejectedWebhook,
  signature: string | undefined,
): Promise<void> {
  if (problem === "unreadable")
    await raiseAlertThrottled(HOUR_MS, {
      kind: "event-unreadable",
      subject: eventId ?? "webhook",
      message: `A signed event (${eventId ?? "without an id"}) cannot be read and was not handled.`,
    });
  else if (eventId !== null && SIGNATURE_FORMAT.test(signature ?? ""))
    await raiseAlertThrottled(HOUR_MS, {
      kind: "webhook-signature-invalid",
      subject: "stripe",
      message:
        "Payment events are refused because their signature is wrong or more than five minutes old. Compare STRIPE_WEBHOOK_SECRET with the webhook's signing secret, and check this machine's clock.",
    });
}
