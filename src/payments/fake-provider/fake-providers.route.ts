import { type Context, Hono } from "hono";
import type { HttpEnv } from "#platform/http/http.server.ts";
import type { FakeProvider, PaymentResult } from "./fake-provider.ts";
import { findFakeCheckout, listFakeProviders } from "./fake-providers.server.ts";

type Action = (fake: FakeProvider, id: string, form: FormData) => Promise<unknown>;

/** What the forms of the payment page and of a completed checkout do. */
const ACTIONS: Record<string, Action> = {
  pay: (fake, id, form) =>
    fake.pay(id, String(form.get("listedCard") ?? form.get("cardNumber") ?? "")),
  "pay-later": (fake, id) => fake.payLater(id),
  arrive: (fake, id) => fake.resolveDelayedPayment(id, true),
  fail: (fake, id) => fake.resolveDelayedPayment(id, false),
  refund: (fake, id, form) => fake.refund(id, readCents(form)),
  "refund-failed": (fake, id, form) => fake.failRefund(id, readCents(form)),
  dispute: (fake, id, form) => fake.dispute(id, "open", readCents(form) || undefined),
  "dispute-won": (fake, id) => fake.dispute(id, "won"),
  "dispute-lost": (fake, id) => fake.dispute(id, "lost"),
};

/**
 * The fake payment providers of a demo without a key: the API that each gateway calls, and the actions of
 * their payment page. Elsewhere these routes do not exist.
 */
export function fakeProviders(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const fakes = listFakeProviders();
  for (const { api } of fakes) app.route(api.path, api.create());
  if (fakes.length > 0) app.route("/demo/checkout", createCheckoutActions());
  return app;
}

/** Handles the payment forms. Each redirects to the site or back to the page. */
function createCheckoutActions(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.post("/:id/:action", async (c) => {
    const id = c.req.param("id");
    const act = Object.hasOwn(ACTIONS, c.req.param("action"))
      ? ACTIONS[c.req.param("action")]
      : undefined;
    const found = act && (await findFakeCheckout(id));
    if (!act || !found) return c.notFound();
    const form = await c.req.formData().catch(() => new FormData());
    const result = (await act(found.fake, id, form)) as PaymentResult | undefined;
    if (!result) return redirectToCheckout(c, id);
    if (result.ok) return c.redirect(result.successUrl, 303);
    const card = result.card ? `&card=${result.card.slice(-4)}` : "";
    return redirectToCheckout(c, id, `?refused=${result.refusal}${card}`);
  });
  return app;
}

/** Returns the amount of the form in cents; 0 when missing. */
function readCents(form: FormData): number {
  return Math.max(0, Math.round(Number(form.get("rand") ?? 0) * 100) || 0);
}

function redirectToCheckout(c: Context<HttpEnv>, id: string, query = ""): Response {
  return c.redirect(`/demo/checkout/${encodeURIComponent(id)}${query}`, 303);
}
