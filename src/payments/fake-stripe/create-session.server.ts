import { eq } from "drizzle-orm";
import { now } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { enqueue, type Job } from "#platform/queue.server.ts";
import { expireSession, type FakeStripeSession } from "./fake-stripe-session.server.ts";
import { makeId } from "./make-id.server.ts";
import { fakeStripeSessions } from "./tables.server.ts";

export type CreateSessionResult =
  | { ok: true; session: FakeStripeSession; isReplay: boolean }
  | { ok: false; problem: string; isIdempotencyError: boolean };

const HALF_HOUR_SECONDS = 30 * 60;
const DAY_SECONDS = 24 * 60 * 60;

/** Creates a checkout session from the form the SDK sends. The same idempotency key returns the same session. */
export async function createSession(
  form: Record<string, string>,
  idempotencyKey: string | null,
): Promise<CreateSessionResult> {
  const problem = findProblem(form);
  if (problem) return { ok: false, problem, isIdempotencyError: false };
  return await transaction(async (tx) => {
    const [insertedSession] = await tx
      .insert(fakeStripeSessions)
      .values({
        id: makeId("cs_test"),
        idempotencyKey,
        request: form,
        clientReferenceId: form.client_reference_id ?? "",
        customerEmail: form.customer_email ?? "",
        title: form["line_items[0][price_data][product_data][name]"] ?? "",
        description: form["line_items[0][price_data][product_data][description]"] ?? "",
        amountCents: Number(form["line_items[0][price_data][unit_amount]"]),
        currency: form["line_items[0][price_data][currency]"] ?? "",
        successUrl: form.success_url ?? "",
        cancelUrl: form.cancel_url ?? "",
        createdAt: now(),
        expiresAt: new Date(Number(form.expires_at) * 1000),
      })
      .onConflictDoNothing({ target: fakeStripeSessions.idempotencyKey })
      .returning();
    if (insertedSession) {
      await enqueue(
        tx,
        expireFakeStripeSession,
        { id: insertedSession.id },
        { startAfter: insertedSession.expiresAt },
      );
      return { ok: true, session: insertedSession, isReplay: false };
    }
    const [existingSession] = await tx
      .select()
      .from(fakeStripeSessions)
      .where(eq(fakeStripeSessions.idempotencyKey, idempotencyKey ?? ""));
    if (!existingSession) throw new Error("the fake session was neither created nor found");
    if (!isSameForm(existingSession.request, form))
      return {
        ok: false,
        problem: "Keys for idempotent requests can only be used with the same parameters.",
        isIdempotencyError: true,
      };
    return { ok: true, session: existingSession, isReplay: true };
  });
}

/** Expires a session at its expiry time. */
export const expireFakeStripeSession: Job<{ id: string }> = {
  name: "expire-fake-stripe-session",
  run: async ({ id }) => await expireSession(id),
};

function findProblem(form: Record<string, string>): string | null {
  const amount = form["line_items[0][price_data][unit_amount]"] ?? "";
  const seconds = Number(form.expires_at) - now().getTime() / 1000;
  if (form.mode !== "payment") return "mode must be payment";
  if (!/^[1-9]\d{0,8}$/.test(amount)) return "unit_amount must be a positive integer";
  if (form["line_items[0][quantity]"] !== "1") return "quantity must be 1";
  if (!form["line_items[0][price_data][currency]"]) return "currency is missing";
  if (!form["line_items[0][price_data][product_data][name]"]) return "the product has no name";
  if (!URL.canParse(form.success_url ?? "")) return "success_url is not a URL";
  if (!URL.canParse(form.cancel_url ?? "")) return "cancel_url is not a URL";
  if (!(seconds >= HALF_HOUR_SECONDS - 1 && seconds <= DAY_SECONDS))
    return "expires_at must be between 30 minutes and 24 hours from now";
  return null;
}

function isSameForm(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
