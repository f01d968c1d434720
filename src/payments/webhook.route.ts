import { raiseAlertThrottled } from "#platform/alerts.server.ts";
import { type HttpContext, jsonError } from "#platform/http/http.server.ts";
import { GatewayError, type PaymentGateway, type RejectedWebhook } from "./gateway.ts";
import { findGateway } from "./gateways.server.ts";
import { handleWebhookEvent } from "./handle-webhook-event.server.ts";
import { withConcurrencyLimit } from "./with-concurrency-limit.server.ts";

/**
 * POST /webhooks/:provider: receives a provider's signed events. Returns 2xx only after the effect of the
 * event is committed; on any other status the provider retries the delivery.
 */
export async function receiveWebhook(c: HttpContext): Promise<Response> {
  const gateway = findGateway(c.req.param("provider") ?? "");
  if (!gateway) return jsonError(c, 404, "There is no such payment provider.");
  const verified = gateway.verifyWebhook(await c.req.text(), c.req.raw.headers);
  if (!verified.ok) {
    await alertAboutRejection(gateway, verified);
    return jsonError(c, 400, "Invalid webhook signature.");
  }
  const { event } = verified;
  try {
    await withConcurrencyLimit(`${event.provider} ${event.id}`, () => handleWebhookEvent(event));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return jsonError(c, 503, "The payment provider is not responding. Please retry.");
  }
  return c.json({ received: true });
}

const HOUR_MS = 60 * 60 * 1000;

/** Anyone can post an unsigned body; only a request in the provider's form raises an alert. */
async function alertAboutRejection(
  gateway: PaymentGateway,
  { problem, eventId, looksGenuine }: RejectedWebhook,
): Promise<void> {
  if (problem === "unreadable")
    await raiseAlertThrottled(HOUR_MS, {
      kind: "event-unreadable",
      subject: eventId ?? "webhook",
      message: `A signed event (${eventId ?? "without an id"}) cannot be read and was not handled.`,
    });
  else if (looksGenuine)
    await raiseAlertThrottled(HOUR_MS, {
      kind: "webhook-signature-invalid",
      subject: gateway.provider,
      message: `Payment events are refused because their signature is wrong or too old. ${gateway.describe().signatureAdvice}`,
    });
}
