import { Hono } from "hono";
import { env } from "#platform/env.server.ts";
import type { HttpEnv } from "#platform/http/http.server.ts";
import type { Job } from "#platform/queue.server.ts";
import { createCheckoutActions } from "./checkout-actions.route.ts";
import { expireFakeStripeSession } from "./create-session.server.ts";
import { deliverFakeStripeEvent } from "./emit-fake-events.server.ts";
import { createStripeApi } from "./stripe-api.route.ts";

/**
 * The fake payment provider of a demo without a Stripe key: the API that the SDK calls, and the actions of
 * its payment page. Elsewhere these routes do not exist.
 */
export function fakeStripe(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  if (!env().stripe.isFake) return app;
  app.route("/v1", createStripeApi());
  app.route("/demo/checkout", createCheckoutActions());
  return app;
}

/** Returns the jobs of the fake provider: event delivery and session expiry. */
export function fakeStripeJobs(): Job[] {
  return env().stripe.isFake ? [deliverFakeStripeEvent, expireFakeStripeSession] : [];
}
