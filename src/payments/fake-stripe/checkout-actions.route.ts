import { type Context, Hono } from "hono";
import type { HttpEnv } from "#platform/http/http.server.ts";
import { findSession } from "./fake-stripe-session.server.ts";
import {
  type PaymentResult,
  paySession,
  resolveDelayedPayment,
  startDelayedPayment,
} from "./pay-session.server.ts";
import { disputePayment, failRefund, refundPayment } from "./refund-and-dispute.server.ts";

/** Handles the fake provider's payment forms. Each redirects to the site or back to the page. */
export function createCheckoutActions(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post("/:id/pay", async (c) => {
    const form = await c.req.formData();
    const cardNumber = form.get("listedCard") ?? form.get("cardNumber");
    return redirectAfterPayment(c, await paySession(c.req.param("id"), String(cardNumber ?? "")));
  });
  app.post("/:id/pay-later", async (c) =>
    redirectAfterPayment(c, await startDelayedPayment(c.req.param("id"))),
  );
  app.post("/:id/arrive", async (c) => {
    await resolveDelayedPayment(c.req.param("id"), true);
    return redirectToCheckout(c);
  });
  app.post("/:id/fail", async (c) => {
    await resolveDelayedPayment(c.req.param("id"), false);
    return redirectToCheckout(c);
  });
  app.post("/:id/refund", async (c) => {
    const cents = await readCents(c);
    if (cents > 0) await refundPayment(c.req.param("id"), cents);
    return redirectToCheckout(c);
  });
  app.post("/:id/refund-failed", async (c) => {
    const cents = await readCents(c);
    if (cents > 0) await failRefund(c.req.param("id"), cents);
    return redirectToCheckout(c);
  });
  app.post("/:id/dispute", async (c) => {
    const amountCents = await readCents(c);
    await disputePayment(
      c.req.param("id"),
      "needs_response",
      amountCents > 0 ? { amountCents } : {},
    );
    return redirectToCheckout(c);
  });
  app.post("/:id/dispute-won", async (c) => {
    await disputePayment(c.req.param("id"), "won");
    return redirectToCheckout(c);
  });
  app.post("/:id/dispute-lost", async (c) => {
    await disputePayment(c.req.param("id"), "lost");
    return redirectToCheckout(c);
  });
  return app;
}

/** Returns the amount of the form in cents; 0 when missing. */
async function readCents(c: Context<HttpEnv>): Promise<number> {
  const form = await c.req.formData().catch(() => null);
  return Math.round(Number(form?.get("rand") ?? 0) * 100) || 0;
}

async function redirectAfterPayment(
  c: Context<HttpEnv>,
  payment: PaymentResult,
): Promise<Response> {
  if (payment.ok) return c.redirect(payment.successUrl, 303);
  if (payment.refusal === "expired") await findSession(c.req.param("id") ?? "");
  const card = payment.card ? `&card=${payment.card.slice(-4)}` : "";
  return redirectToCheckout(c, `?refused=${payment.refusal}${card}`);
}

function redirectToCheckout(c: Context<HttpEnv>, query = ""): Response {
  return c.redirect(`/demo/checkout/${encodeURIComponent(c.req.param("id") ?? "")}${query}`, 303);
}
