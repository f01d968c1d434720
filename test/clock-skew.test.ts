import { createHmac, randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { now, withClockAt } from "#platform/clock.server.ts";
import { compareClocksAtStart } from "#platform/clock-skew.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { followMachineClock } from "#test/test-clock.ts";

// The clock of this machine is wrong by five minutes; those of the database and others are correct.

followMachineClock();

const FIVE_MINUTES = 5 * 60_000;
const TrueDate = Date;
const browser = new Browser();

/** Shifts this machine's clock and compares it with the database, as a start does. */
async function setMachineClock(aheadMs: number): Promise<void> {
  class MachineDate extends TrueDate {
    constructor(...args: unknown[]) {
      super(...((args.length > 0 ? args : [MachineDate.now()]) as [number]));
    }
    static override now() {
      return TrueDate.now() + aheadMs;
    }
  }
  vi.stubGlobal("Date", MachineDate);
  await compareClocksAtStart((text) => pool().query(text));
}

/** Sends a webhook signed at the true time plus an offset. */
async function postSignedWebhook(signatureOffsetMs = 0): Promise<number> {
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: "charge.updated", data: {} });
  const timestamp = Math.floor((TrueDate.now() + signatureOffsetMs) / 1000);
  const signature = createHmac("sha256", env().stripe.webhookSecret)
    .update(`${timestamp}.${body}`)
    .digest("hex");
  const headers = { "Stripe-Signature": `t=${timestamp},v1=${signature}` };
  return (await browser.send("/webhooks/stripe", { method: "POST", body, headers })).status;
}

afterEach(async () => {
  vi.unstubAllGlobals();
  await compareClocksAtStart((text) => pool().query(text));
});

describe.each([
  ["ahead", FIVE_MINUTES],
  ["behind", -FIVE_MINUTES],
])("a machine whose clock is five minutes %s", (direction, aheadMs) => {
  it("fails the readiness check and reports its skew until the clock is right", async () => {
    await setMachineClock(aheadMs);
    const response = await browser.get("/health/ready");
    expect(response.status).toBe(503);
    expect((await response.json()).error).toMatch(
      direction === "ahead" ? /is \d+\.\d s ahead of the database's/ : /is \d+\.\d s behind/,
    );
    const metrics = await (await browser.get("/metrics")).text();
    const [, skew] = /^furlong_clock_skew_seconds (\S+)$/m.exec(metrics) ?? [];
    expect(Math.abs(Number(skew) - aheadMs / 1000)).toBeLessThan(5);
    vi.unstubAllGlobals();
    await compareClocksAtStart((text) => pool().query(text));
    expect((await browser.get("/health/ready")).status).toBe(200);
  });

  it("satisfies every invariant for rows written with its wrong time", async () => {
    const skewedTime = new Date(now().getTime() + aheadMs);
    const published = await withClockAt(skewedTime, () => publishRaceCard());
    const firstBuyer = await makeUser({ coins: 4 });
    await unlockRaceCardAs(firstBuyer.id, published);
    const card = await publishRaceCard();
    const secondBuyer = await makeUser({ coins: 4 });
    await withClockAt(skewedTime, () => unlockRaceCardAs(secondBuyer.id, card));
    expect(await withClockAt(skewedTime, () => postSignedWebhook(aheadMs))).toBe(200);
    await expectInvariantsToHold();
  });
});
