import { type Context, Hono } from "hono";
import type { HttpEnv } from "#platform/http/http.server.ts";
import { findSession } from "./fake-stripe-session.server.ts";
import { type Payment, payLater, paySession, resolveDelayedPayment } from "./pay-session.server.ts";
import { disputePayment, failRefund, refundPayment } from "./undo-payment.server.ts";

/** Handles the fake provider's payment forms. Each redirects to the site or back to the page. */
export function checkoutActions(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post("/:id/pay", async (c) => {
    const form = await c.req.formData();
    const typed = form.get("listedCard") ?? form.get("cardNumber");
    return redirectAfterPayment(c, await paySession(c.req.param("id"), String(typed ?? "")));
  });
  app.post("/:id/pay-later", async (c) =>
    redirectAfterPayment(c, await payLater(c.req.param("id"))),
  );
  app.post("/:id/arrive", async (c) => {
    await resolveDelayedPayment(c.req.param("id"), true);
    return back(c);
  });
  app.post("/:id/fail", async (c) => {
    await resolveDelayedPayment(c.req.param("id"), false);
    return back(c);
  });
  app.post("/:id/refund", async (c) => {
    const cents = await centsOf(c);
    if (cents > 0) await refundPayment(c.req.param("id"), cents);
    return back(c);
  });
  app.post("/:id/refund-failed", async (c) => {
    const cents = await centsOf(c);
    if (cents > 0) await failRefund(c.req.param("id"), cents);
    return back(c);
  });
  app.post("/:id/dispute", async (c) => {
    const amountCents = await centsOf(c);
    await disputePayment(
      c.req.param("id"),
      "needs_response",
      amountCents > 0 ? { amountCents } : {},
    );
    return back(c);
  });
  app.post("/:id/dispute-won", async (c) => {
    await disputePayment(c.req.param("id"), "won");
    return back(c);
  });
  app.post("/:id/dispute-lost", async (c) => {
    await disputePayment(c.req.param("id"), "lost");
    return back(c);
  });
  return app;
}

/** Returns the amount of the form in cents; 0 when missing. */
async function centsOf(c: Context<HttpEnv>): Promise<number> {
  const form = await c.req.formData().catch(() => null);
  return Math.round(Number(form?.get("rand") ?? 0) * 100) || 0;
}

async function redirectAfterPayment(c: Context<HttpEnv>, payment: Payment): Promise<Response> {
  if (payment.ok) return c.redirect(payment.successUrl, 303);
  if (payment.refusal === "expired") await findSession(c.req.param("id") ?? "");
  const card = payment.card ? `&card=${payment.card.slice(-4)}` : "";
  return back(c, `?refused=${payment.refusal}${card}`);
}

function back(c: Context<HttpEnv>, query = ""): Response {
  return c.redirect(`/demo/checkout/${encodeURIComponent(c.req.param("id") ?? "")}${query}`, 303);
}
