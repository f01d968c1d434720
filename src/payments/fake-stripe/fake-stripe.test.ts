import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";

// Configures a real provider key, so that the fake provider is disabled.
vi.hoisted(() => {
  process.env.STRIPE_SECRET_KEY = "sk_test_a_key_of_our_own";
  process.env.STRIPE_WEBHOOK_SECRET = "whsec_a_secret_of_our_own";
  process.env.STRIPE_API_BASE = "https://payments.example:8443";
});

import { jobs } from "#jobs.server.ts";
import { now } from "#platform/clock.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser } from "#test/factories.ts";
import { makeDemoPurchase } from "../fake-provider/make-demo-purchase.server.ts";
import { startPurchase } from "../start-purchase.server.ts";
import { stripeGateway } from "../stripe/gateway.server.ts";

afterEach(() => vi.unstubAllGlobals());

describe("with a real provider key", () => {
  it.each(["/demo/checkout", "/demo/checkout/cs_test_1"])("returns 404 for %s", async (path) => {
    expect((await new Browser().get(path)).status).toBe(404);
  });

  it.each(["/v1/checkout/sessions", "/demo/checkout/cs_test_1/pay"])(
    "does not handle POST %s",
    async (path) => {
      const response = await new Browser().post(path, { cardNumber: "4242424242424242" });
      expect(response.status).toBeGreaterThanOrEqual(404);
    },
  );

  it("lets forms redirect to the provider's payment page only", async () => {
    const response = await new Browser().get("/contact");
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy).toMatch(/form-action 'self' https:\/\/checkout\.stripe\.com;/);
  });

  it("links a payment to the provider's dashboard in the mode of the key", () => {
    const { buildDashboardUrl } = stripeGateway.describe();
    expect(buildDashboardUrl("pi_1")).toBe("https://dashboard.stripe.com/test/payments/pi_1");
  });

  it("registers no jobs of the fake provider and rejects demo purchases", async () => {
    expect(jobs().map((job) => job.name)).not.toContain("deliver-fake-stripe-event");
    const { id } = await makeUser();
    const params = { userId: id, coinPackId: "starter_4", at: now() };
    await expect(makeDemoPurchase(params)).rejects.toThrow("only the demo");
  });

  it("calls the configured base URL with the API key and an idempotency key", async () => {
    const requests: { url: string; headers: Headers; body: string; redirect?: string }[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const { redirect } = init;
      requests.push({ url, headers: new Headers(init.headers), body: String(init.body), redirect });
      return Response.json({
        id: "cs_test_1",
        object: "checkout.session",
        url: "https://pay.example",
      });
    });
    const viewer = await makeUser();
    const params = { viewer, coinPackId: "pro_12", idempotencyKey: randomUUID(), returnTo: "/" };
    expect(await startPurchase(params)).toMatchObject({
      ok: true,
      redirectUrl: "https://pay.example",
    });
    const [call] = requests;
    expect(call?.url).toBe("https://payments.example:8443/v1/checkout/sessions");
    expect(call?.headers.get("authorization")).toBe("Bearer sk_test_a_key_of_our_own");
    expect(call?.redirect).toBe("error");
    expect(call?.headers.get("idempotency-key")).toMatch(/^order-[0-9a-f-]{36}$/);
    const form = new URLSearchParams(call?.body);
    expect(form.get("line_items[0][price_data][unit_amount]")).toBe("10000");
    expect(form.get("line_items[0][price_data][currency]")).toBe("zar");
    expect(form.get("mode")).toBe("payment");
    expect(form.get("adaptive_pricing[enabled]")).toBe("false");
  });

  it("returns null for an unknown session and throws when authentication fails", async () => {
    vi.stubGlobal("fetch", async () =>
      Response.json(
        { error: { type: "invalid_request_error", code: "resource_missing" } },
        { status: 404 },
      ),
    );
    expect(await stripeGateway.readCheckout("cs_test_gone")).toBeNull();
    vi.stubGlobal("fetch", async () => Response.json({ error: {} }, { status: 401 }));
    await expect(stripeGateway.readCheckout("cs_test_gone")).rejects.toThrow();
  });
});
