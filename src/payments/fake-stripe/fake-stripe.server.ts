import { Hono } from "hono";
import { env } from "#platform/env.server.ts";
import type { HttpEnv } from "#platform/http/http.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { checkoutActions } from "./checkout-actions.route.ts";
import { expireFakeStripeSession } from "./create-session.server.ts";
import { deliverFakeStripeEvent } from "./emit-fake-events.server.ts";
import { stripeApi } from "./stripe-api.route.ts";

/**
 * The payment provider of a demo without a key: the calls the SDK makes, and the acts of its pay page.
 * Anywhere else there is nothing at these addresses.
 */
export function fakeStripe(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  if (!env().stripe.standIn) return app;
  app.route("/v1", stripeApi());
  app.route("/demo/checkout", checkoutActions());
  return app;
}

/** The stand-in's own jobs: its events on their way, and its sessions' ends. */
export function fakeStripeJobs(): Job[] {
  return env().stripe.standIn ? [deliverFakeStripeEvent, expireFakeStripeSession] : [];
}
