import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { FakeStripeSession } from "#payments/fake-stripe/fake-stripe-session.server.ts";
import {
  buildCharge,
  buildDispute,
  buildPaymentIntent,
  buildRefunds,
  buildSession,
} from "#payments/fake-stripe/stripe-objects.server.ts";
import { now } from "#platform/clock.server.ts";

export type ProviderEvent = { id: string; type: string } & Record<string, unknown>;
type EventType =
  | "checkout.session.completed"
  | "checkout.session.expired"
  | "checkout.session.async_payment_succeeded"
  | "payment_intent.succeeded"
  | "charge.succeeded"
  | "charge.refunded"
  | "charge.dispute.created"
  | "charge.dispute.closed";

/**
 * A fake payment provider outside the application. It stores its sessions in memory and does not deliver
 * events itself, so that tests decide which events arrive, when, in which order and how often.
 */
export class FakeProvider {
  #server: Server;
  #sessions = new Map<string, FakeStripeSession>();
  #sessionIdsByKey = new Map<string, string>();
  #events: ProviderEvent[] = [];
  /** Makes every request fail, as a provider that has lost its records. */
  isBroken = false;
  /** The URL of the payment page; the session id is appended. */
  payPage: string | null = null;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = this.#respond(request, await readBody(request));
      response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
      response.end(liveJson(body ?? { error: { type: "invalid_request_error" } }));
    });
  }

  static async start(): Promise<FakeProvider> {
    const provider = new FakeProvider();
    provider.#server.listen(0, "127.0.0.1");
    await once(provider.#server, "listening");
    return provider;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  session(id: string): FakeStripeSession {
    const session = this.#sessions.get(id);
    if (!session) throw new Error(`the provider has no session ${id}`);
    return session;
  }

  /** Returns the sessions of an order. */
  listSessions(orderId: string): FakeStripeSession[] {
    return [...this.#sessions.values()].filter((session) => session.clientReferenceId === orderId);
  }

  /** Completes a session with a payment. */
  pay(id: string, change: Partial<FakeStripeSession> = {}): FakeStripeSession {
    return this.change(id, {
      status: "complete",
      paymentStatus: "paid",
      paymentIntentId: `pi_${randomUUID().replaceAll("-", "")}`,
      cardLast4: "4242",
      cardFingerprint: randomUUID(),
      ...change,
    });
  }

  change(id: string, change: Partial<FakeStripeSession>): FakeStripeSession {
    return Object.assign(this.session(id), change);
  }

  /** Creates an event with the current state of a session; it is listed but not delivered. */
  event(type: EventType, id: string): ProviderEvent {
    const session = this.session(id);
    const object = type.startsWith("checkout.")
      ? buildSession(session)
      : type.startsWith("payment_intent.")
        ? buildPaymentIntent(session)
        : type.startsWith("charge.dispute.")
          ? buildDispute(session)
          : buildCharge(session);
    const event = {
      id: `evt_${randomUUID().replaceAll("-", "")}`,
      object: "event",
      created: Math.floor(now().getTime() / 1000),
      data: { object: JSON.parse(liveJson(object)) },
      livemode: true,
      type,
    };
    this.#events.unshift(event);
    return event;
  }

  #respond(request: IncomingMessage, body: string): object | null {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    const [, , kind = "", id = ""] = pathname.split("/");
    if (request.method === "POST") {
      if (this.isBroken) return null;
      const key = String(request.headers["idempotency-key"] ?? randomUUID());
      const session = this.#create(key, Object.fromEntries(new URLSearchParams(body)));
      const object = buildSession(session);
      return this.payPage ? { ...object, url: this.payPage + session.id } : object;
    }
    if (kind === "events" || kind === "disputes" || kind === "refunds") {
      const listed = kind === "events" ? this.#events : this.#listReversals(kind, searchParams);
      return { object: "list", data: this.isBroken ? [] : listed, has_more: false };
    }
    if (this.isBroken) return null;
    if (pathname === "/v1/checkout/sessions") {
      const sessions = [...this.#sessions.values()].map((each) => buildSession(each));
      return { object: "list", data: sessions.reverse(), has_more: false };
    }
    if (kind === "checkout") {
      const session = this.#sessions.get(pathname.split("/")[4] ?? "");
      return session ? buildSession(session, { expanded: true }) : null;
    }
    const session = this.#byIntent(id);
    return session ? buildPaymentIntent(session, { expanded: true }) : null;
  }

  #byIntent(id: string): FakeStripeSession | undefined {
    return [...this.#sessions.values()].find((session) => session.paymentIntentId === id);
  }

  #listReversals(kind: "disputes" | "refunds", search: URLSearchParams): object[] {
    const session = this.#byIntent(search.get("payment_intent") ?? "");
    if (!session) return [];
    if (kind === "refunds") return buildRefunds(session);
    const dispute = buildDispute(session);
    return dispute ? [dispute] : [];
  }

  /** Returns the existing session for a repeated idempotency key. */
  #create(key: string, form: Record<string, string>): FakeStripeSession {
    const sessionId = this.#sessionIdsByKey.get(key);
    if (sessionId) return this.session(sessionId);
    const session: FakeStripeSession = {
      id: `cs_test_${randomUUID().replaceAll("-", "")}`,
      idempotencyKey: key,
      request: form,
      clientReferenceId: form.client_reference_id ?? "",
      customerEmail: form.customer_email ?? "",
      title: "",
      description: "",
      amountCents: Number(form["line_items[0][price_data][unit_amount]"]),
      currency: form["line_items[0][price_data][currency]"] ?? "",
      successUrl: form.success_url ?? "",
      cancelUrl: form.cancel_url ?? "",
      status: "open",
      paymentStatus: "unpaid",
      paymentIntentId: null,
      cardLast4: null,
      cardFingerprint: null,
      cardWallet: null,
      cardHolder: null,
      refundedCents: 0,
      failedRefundCents: 0,
      refunds: {},
      disputedCents: null,
      disputeStatus: null,
      createdAt: now(),
      expiresAt: new Date(Number(form.expires_at) * 1000),
    };
    this.#sessions.set(session.id, session);
    this.#sessionIdsByKey.set(key, session.id);
    return session;
  }
}

/** Serialises objects with livemode set, which production requires. */
function liveJson(object: object | null): string {
  return JSON.stringify(object, (key, value) => (key === "livemode" ? true : value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}
