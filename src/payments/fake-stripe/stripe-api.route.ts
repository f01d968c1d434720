import { randomUUID } from "node:crypto";
import { and, desc, eq, gte, inArray, lt, or } from "drizzle-orm";
import { type Context, Hono } from "hono";
import { database } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import type { HttpEnv } from "#platform/http/http.server.ts";
import { createSession } from "./create-session.server.ts";
import { type FakeStripeSession, findSession, listSessions } from "./fake-stripe-session.server.ts";
import { createRefund } from "./refund-and-dispute.server.ts";
import {
  buildDispute,
  buildPaymentIntent,
  buildRefunds,
  buildSession,
} from "./stripe-objects.server.ts";
import { fakeStripeEvents, fakeStripeSessions } from "./tables.server.ts";

/** The subset of the provider's API that the gateway calls. */
export function createStripeApi(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${env().stripe.secretKey}`)
      return respondError(c, 401, "invalid_request_error", "Invalid API Key provided.");
    await next();
  });

  app.post("/checkout/sessions", async (c) => {
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()));
    const created = await createSession(form, c.req.header("idempotency-key") ?? null);
    if (!created.ok) {
      const type = created.isIdempotencyError ? "idempotency_error" : "invalid_request_error";
      return respondError(c, 400, type, created.problem);
    }
    if (created.isReplay) c.header("Idempotent-Replayed", "true");
    return c.json(buildSession(created.session));
  });

  app.get("/checkout/sessions", async (c) => {
    const since = Number(c.req.query("created[gte]") ?? 0);
    const sessions = await listSessions({ since: new Date(since * 1000), limit: 100 });
    const data = sessions.map((session) => buildSession(session));
    return c.json(toList("/v1/checkout/sessions", data, false));
  });

  app.get("/checkout/sessions/:id", async (c) => {
    const session = await findSession(c.req.param("id"));
    if (!session) return respondNotFound(c, "checkout session");
    return c.json(buildSession(session, { expanded: isChargeExpanded(c, "payment_intent.") }));
  });

  app.get("/payment_intents/:id", async (c) => {
    const session = await findSessionByIntent(c.req.param("id"));
    if (!session) return respondNotFound(c, "payment_intent");
    return c.json(buildPaymentIntent(session, { expanded: isChargeExpanded(c, "") }));
  });

  app.get("/disputes", async (c) => {
    const session = await findSessionByIntent(c.req.query("payment_intent") ?? "");
    const dispute = session && buildDispute(session);
    return c.json(toList("/v1/disputes", dispute ? [dispute] : [], false));
  });

  app.get("/refunds", async (c) => {
    const session = await findSessionByIntent(c.req.query("payment_intent") ?? "");
    return c.json(toList("/v1/refunds", session ? buildRefunds(session) : [], false));
  });

  app.post("/refunds", async (c) => {
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()));
    const [paymentIntentId = "", amountCents] = [form.payment_intent, Number(form.amount)];
    const key = c.req.header("idempotency-key") ?? randomUUID();
    const created = await createRefund(paymentIntentId, amountCents, key);
    if (!created.ok) {
      const type = created.isIdempotencyError ? "idempotency_error" : "invalid_request_error";
      return respondError(c, 400, type, created.problem);
    }
    return c.json({
      id: created.refundId,
      object: "refund",
      amount: amountCents,
      payment_intent: paymentIntentId,
      status: "succeeded",
    });
  });

  app.get("/events", async (c) => {
    const limit = Math.min(100, Number(c.req.query("limit") ?? 10));
    const events = await listEvents(c, limit);
    const page = events.slice(0, limit).map((event) => event.payload);
    return c.json(toList("/v1/events", page, events.length > limit));
  });

  app.all("*", (c) =>
    respondError(
      c,
      404,
      "invalid_request_error",
      "The fake provider does not implement this call.",
    ),
  );
  return app;
}

async function listEvents(c: Context<HttpEnv>, limit: number) {
  const types = Object.entries(c.req.query())
    .filter(([name]) => name.startsWith("types["))
    .map(([, type]) => type);
  const since = Number(c.req.query("created[gte]") ?? 0);
  const cursor = c.req.query("starting_after");
  const [lastEvent] = cursor
    ? await database().select().from(fakeStripeEvents).where(eq(fakeStripeEvents.id, cursor))
    : [];
  return await database()
    .select()
    .from(fakeStripeEvents)
    .where(
      and(
        types.length > 0 ? inArray(fakeStripeEvents.type, types) : undefined,
        gte(fakeStripeEvents.createdAt, new Date(since * 1000)),
        lastEvent &&
          or(
            lt(fakeStripeEvents.createdAt, lastEvent.createdAt),
            and(
              eq(fakeStripeEvents.createdAt, lastEvent.createdAt),
              lt(fakeStripeEvents.id, lastEvent.id),
            ),
          ),
      ),
    )
    .orderBy(desc(fakeStripeEvents.createdAt), desc(fakeStripeEvents.id))
    .limit(limit + 1);
}

async function findSessionByIntent(id: string): Promise<FakeStripeSession | null> {
  const [session] = await database()
    .select()
    .from(fakeStripeSessions)
    .where(eq(fakeStripeSessions.paymentIntentId, id));
  return session ?? null;
}

function isChargeExpanded(c: Context<HttpEnv>, prefix: string): boolean {
  return Object.entries(c.req.query()).some(
    ([name, value]) => name.startsWith("expand[") && value === `${prefix}latest_charge`,
  );
}

function toList(url: string, data: unknown[], hasMore: boolean) {
  return { object: "list", url, data, has_more: hasMore };
}

function respondNotFound(c: Context<HttpEnv>, kind: string): Response {
  return respondError(c, 404, "invalid_request_error", `No such ${kind}.`, "resource_missing");
}

function respondError(
  c: Context<HttpEnv>,
  status: 400 | 401 | 404,
  type: string,
  message: string,
  code?: string,
): Response {
  return c.json({ error: { type, message, ...(code ? { code } : {}) } }, status);
}
