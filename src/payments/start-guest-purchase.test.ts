import { randomUUID } from "node:crypto";
import { count, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { database } from "#platform/database.server.ts";
import { uniqueAddress } from "#test/browser.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { fakeStripeSessions } from "./fake-stripe/tables.server.ts";
import { hasGuestOrderToken } from "./guest-order-token.server.ts";
import { type GuestPurchaseParams, startGuestPurchase } from "./start-guest-purchase.server.ts";
import { orders, pendingRegistrations } from "./tables.server.ts";

let params: GuestPurchaseParams;
const PASSWORD = "a horse called Pocket";

beforeAll(stubFetchInProcess);
afterAll(expectInvariantsToHold);
beforeEach(async () => {
  const { raceCardId } = await publishRaceCard();
  params = {
    raceCardId,
    name: "Sipho Dlamini",
    email: `guest-${randomUUID()}@example.test`,
    password: PASSWORD,
    agreed: true,
    idempotencyKey: randomUUID(),
    clientAddress: uniqueAddress(),
    returnTo: "/",
  };
});
afterEach(() => freezeClock(null));

async function countOrders(): Promise<number> {
  const [row] = await database()
    .select({ count: count() })
    .from(orders)
    .where(eq(orders.raceCardId, params.raceCardId));
  return row?.count ?? 0;
}

describe("a guest who starts a purchase", () => {
  it("is sent to the payment page with an order and a pending registration", async () => {
    const started = await startGuestPurchase(params);
    if (!started.ok) throw new Error(started.refusal);
    const [order] = await database()
      .select()
      .from(orders)
      .where(eq(orders.sessionId, started.sessionId));
    expect(order).toMatchObject({
      userId: null,
      coinPackId: "unlock_tip_starter",
      coins: 4,
      amountCents: 4000,
      raceCardId: params.raceCardId,
    });
    const [guest] = await database()
      .select()
      .from(pendingRegistrations)
      .where(eq(pendingRegistrations.orderId, order?.id ?? ""));
    expect(guest).toMatchObject({ email: params.email, name: params.name });
    expect(guest?.passwordHash).toMatch(/^\$argon2id\$/);
  });

  it("sends neither the password, its hash nor the name to the provider", async () => {
    const started = await startGuestPurchase(params);
    if (!started.ok) throw new Error(started.refusal);
    const [session] = await database()
      .select()
      .from(fakeStripeSessions)
      .where(eq(fakeStripeSessions.id, started.sessionId));
    const sent = JSON.stringify(session?.request);
    expect(sent).not.toContain(PASSWORD);
    expect(sent).not.toContain("argon2");
    expect(sent).not.toContain(params.name);
  });

  it("gets the order token in this browser only", async () => {
    const started = await startGuestPurchase(params);
    if (!started.ok) throw new Error(started.refusal);
    const [order] = await database()
      .select()
      .from(orders)
      .where(eq(orders.sessionId, started.sessionId));
    if (!order) throw new Error("no order");
    expect(started.setCookie).toMatch(/; HttpOnly/);
    expect(started.setCookie).toMatch(/; SameSite=Lax/);
    const request = (cookie: string) => new Request("http://x", { headers: { cookie } });
    const cookie = started.setCookie.split(";")[0] ?? "";
    expect(hasGuestOrderToken(request(cookie), order)).toBe(true);
    expect(hasGuestOrderToken(request(""), order)).toBe(false);
    const other = await startGuestPurchase({ ...params, idempotencyKey: randomUUID() });
    const stolen = other.ok ? other.setCookie.split(";")[0]?.split("=")[1] : "";
    expect(hasGuestOrderToken(request(`${cookie.split("=")[0]}=${stolen}`), order)).toBe(false);
  });

  const refusals: [
    string,
    (
      input: GuestPurchaseParams,
    ) => Partial<GuestPurchaseParams> | Promise<Partial<GuestPurchaseParams>>,
    string,
  ][] = [
    ["has not agreed to the terms", () => ({ agreed: false }), "not-agreed"],
    ["chooses a common password", () => ({ password: "password" }), "weak-password"],
    ["selects an unknown race card", () => ({ raceCardId: randomUUID() }), "not-on-sale"],
    ["has an account", async () => ({ email: (await makeUser()).email }), "has-account"],
    [
      "has an unconfirmed account with coins",
      async () => ({ email: (await makeUser({ verified: false, coins: 4 })).email }),
      "has-account",
    ],
  ];
  it.each(refusals)("creates no order when the guest %s", async (_, change, refusal) => {
    const input = { ...params, ...(await change(params)) };
    expect(await startGuestPurchase(input)).toEqual({ ok: false, refusal });
    expect(await countOrders()).toBe(0);
  });

  it("is refused after the last race", async () => {
    freezeClock(instantAt(addDays(dateAt(now()), 1), "18:01"));
    expect(await startGuestPurchase(params)).toEqual({ ok: false, refusal: "not-on-sale" });
  });

  it("must acknowledge races that have been run", async () => {
    const raceDate = addDays(dateAt(now()), 1);
    const { raceCardId } = await publishRaceCard({
      races: [
        { raceNumber: 1, raceTime: "12:00" },
        { raceNumber: 2, raceTime: "15:00" },
      ],
    });
    freezeClock(instantAt(raceDate, "13:00"));
    const input = { ...params, raceCardId };
    expect(await startGuestPurchase(input)).toEqual({ ok: false, refusal: "races-run" });
    expect((await startGuestPurchase({ ...input, acknowledgedRacesRun: 1 })).ok).toBe(true);
  });

  it("is accepted with an unconfirmed and empty account", async () => {
    const { email } = await makeUser({ verified: false });
    expect((await startGuestPurchase({ ...params, email })).ok).toBe(true);
  });

  it("gets one order and one page for repeated or concurrent requests", async () => {
    const started = await Promise.all(Array.from({ length: 8 }, () => startGuestPurchase(params)));
    started.push(await startGuestPurchase(params));
    expect(new Set(started.map((result) => result.ok && result.sessionId)).size).toBe(1);
    expect(started.every((result) => result.ok)).toBe(true);
    expect(await countOrders()).toBe(1);
  });

  it("is refused with another guest's idempotency key and a wrong password", async () => {
    const started = await startGuestPurchase(params);
    expect(started.ok).toBe(true);
    expect(await startGuestPurchase({ ...params, password: "another long password" })).toEqual({
      ok: false,
      refusal: "checkout-expired",
    });
    expect((await startGuestPurchase(params)).ok).toBe(true);
    expect(await countOrders()).toBe(1);
  });

  it("is rate limited after many starts", async () => {
    const results = [];
    for (let time = 0; time < 11; time += 1)
      results.push(await startGuestPurchase({ ...params, idempotencyKey: randomUUID() }));
    expect(results.slice(0, 10).every((result) => result.ok)).toBe(true);
    expect(results.at(-1)).toEqual({ ok: false, refusal: "too-many" });
  });
});
