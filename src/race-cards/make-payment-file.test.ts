import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { readAudit } from "#identity/identity.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { expectBooksToHold } from "#test/books.ts";
import { makeAdmin, makeTipster, makeUser, type Person, publishRaceCard } from "#test/cast.ts";
import {
  listDuePayouts,
  listPayouts,
  makePaymentFile,
  markPayoutPaid,
  payDayRun,
  readEarningsSummary,
  requestPayout,
  rollUpEarnings,
  startPayout,
  unlockRaceCardAs,
  writeBankDetails,
} from "./race-cards.server.ts";

const DETAILS = {
  holder: "S. Dube",
  bank: "Capitec",
  branchCode: "470010",
  accountNumber: "1234567890",
  accountType: "savings" as const,
};

let admin: Person;
beforeEach(async () => {
  freezeClock(instantAt("2026-10-20", "08:00"));
  admin = await makeAdmin();
});
afterEach(async () => {
  await expectBooksToHold();
  freezeClock(null);
});

function later(days: number): void {
  freezeClock(new Date(now().getTime() + days * 24 * 60 * 60 * 1000));
}

async function creatorWith(sales: number, { details = true } = {}) {
  const creator = await makeTipster();
  if (details) await writeBankDetails(creator.id, { ...DETAILS, holder: creator.name });
  const { raceCardId } = await publishRaceCard({ creatorId: creator.id });
  for (let index = 0; index < sales; index += 1) {
    const { id } = await makeUser({ coins: 4 });
    await unlockRaceCardAs(id, { raceCardId });
  }
  return creator;
}

/** So many creators with a payout each that is being processed, of so many sales. */
async function payoutsOf(...sales: number[]) {
  const creators = [];
  for (const each of sales) creators.push(await creatorWith(each));
  later(14);
  const payouts = [];
  for (const creator of creators) {
    const answer = await requestPayout(creator.id);
    if (!answer.ok) throw new Error(answer.refusal);
    payouts.push({ creator, id: answer.payoutId, amountCents: answer.amountCents });
  }
  return payouts;
}

const filesMade = async () =>
  (await readAudit({ act: "make-payment-file", limit: 100 })).entries.filter(
    (entry) => entry.actorId === admin.id,
  );

describe("the payment file", () => {
  it("has one line for each payout, and a total that is their sum to the cent", async () => {
    const payouts = await payoutsOf(4, 7, 5);
    for (const payout of payouts) await startPayout(admin.id, payout.id);
    const answer = await makePaymentFile(
      admin.id,
      payouts.map((payout) => payout.id),
    );
    if (!answer.ok) throw new Error(answer.refusal);
    expect(answer.lines.map((line) => line.amountCents).sort()).toEqual([11_200, 14_000, 19_600]);
    expect(answer.totalCents).toBe(44_800);
    for (const payout of payouts)
      expect(answer.lines.find((line) => line.payoutId === payout.id)).toMatchObject({
        amountCents: payout.amountCents,
        details: { ...DETAILS, holder: payout.creator.name },
        reference: `FURLONG ${payout.id.slice(-8).toUpperCase()}`,
      });
    expect(await filesMade()).toMatchObject([
      { details: { totalCents: 44_800, payoutIds: answer.lines.map((line) => line.payoutId) } },
    ]);
  });

  it("names a payout once that is chosen twice", async () => {
    const [payout] = await payoutsOf(4);
    await startPayout(admin.id, payout?.id ?? "");
    const answer = await makePaymentFile(admin.id, [payout?.id ?? "", payout?.id ?? "", "x"]);
    expect(answer).toMatchObject({ ok: true, totalCents: 11_200, lines: [{}] });
  });

  it("is refused whole where one payout is not being processed, its details are missing, new or nothing is chosen", async () => {
    const [started, requested, changed] = await payoutsOf(4, 4, 4);
    const ids = (...payouts: ({ id: string } | undefined)[]) =>
      payouts.map((each) => each?.id ?? "");
    await startPayout(admin.id, started?.id ?? "");
    await startPayout(admin.id, changed?.id ?? "");
    expect(await makePaymentFile(admin.id, [])).toEqual({ ok: false, refusal: "nothing-chosen" });
    expect(await makePaymentFile(admin.id, [randomUUID(), "no id"])).toEqual({
      ok: false,
      refusal: "nothing-chosen",
    });
    expect(await makePaymentFile(admin.id, ids(started, requested))).toEqual({
      ok: false,
      refusal: "not-processing",
      creatorIds: [requested?.creator.id],
    });
    await writeBankDetails(changed?.creator.id ?? "", { ...DETAILS, bank: "FNB" });
    expect(await makePaymentFile(admin.id, ids(started, changed))).toEqual({
      ok: false,
      refusal: "bank-details-new",
      creatorIds: [changed?.creator.id],
    });
    await markPayoutPaid(admin.id, started?.id ?? "");
    expect(await makePaymentFile(admin.id, ids(started))).toMatchObject({
      refusal: "not-processing",
    });
    expect(await filesMade()).toEqual([]);
  });

  it("made again, or by several at once, is the same file; each is written down", async () => {
    const [payout] = await payoutsOf(4);
    await startPayout(admin.id, payout?.id ?? "");
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => makePaymentFile(admin.id, [payout?.id ?? ""])),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await filesMade()).toHaveLength(4);
  });
});

describe("what is due on the 15th", () => {
  it("is what each creator's own summary says, and what the run then pays", async () => {
    const many = await creatorWith(6);
    const few = await creatorWith(2);
    const unknown = await creatorWith(4, { details: false });
    const asked = await creatorWith(5);
    // What is sold on the 1st ripens in the course of the 15th, after its run.
    freezeClock(instantAt("2026-11-01", "09:00"));
    const first = await publishRaceCard({ creatorId: many.id, venue: "greyville" });
    await unlockRaceCardAs((await makeUser({ coins: 4 })).id, first);
    later(2);
    await requestPayout(asked.id);
    await rollUpEarnings();
    const late = await publishRaceCard({ creatorId: many.id, venue: "vaal" });
    const { id } = await makeUser({ coins: 4 });
    await unlockRaceCardAs(id, late);

    const list = await listDuePayouts();
    expect(list.payDay).toBe("2026-11-15");
    const dueTo = (creatorId: string) => list.due.find((each) => each.creatorId === creatorId);
    expect(dueTo(many.id)).toMatchObject({ dueCents: 16_800, accountEnding: "7890" });
    expect(dueTo(unknown.id)).toMatchObject({ dueCents: 11_200, accountEnding: null });
    expect(dueTo(few.id)).toBeUndefined();
    expect(dueTo(asked.id)).toBeUndefined();
    for (const creator of [many, few, unknown, asked])
      expect(dueTo(creator.id)?.dueCents ?? 0).toBe(
        (await readEarningsSummary(creator.id)).dueCents,
      );
    expect(list.dueCents).toBe(list.due.reduce((sum, each) => sum + each.dueCents, 0));
    expect(list.dueCreators).toBe(list.due.length);
    expect(list.carriedCents).toBeGreaterThanOrEqual(5600);

    freezeClock(instantAt("2026-11-15", "06:00"));
    await payDayRun.run({}, { isLast: false });
    const { payouts } = await listPayouts({ creatorIds: [many.id, few.id, unknown.id] });
    expect(payouts).toMatchObject([{ creatorId: many.id, amountCents: 16_800 }]);
  });
});

describe("the list of what is due", () => {
  it("comes page by page, the largest first, with the sums of all on each", async () => {
    for (const sales of [5, 4, 4, 4, 6]) await creatorWith(sales);
    const whole = await listDuePayouts({ limit: 1000 });
    expect(whole.next).toBeNull();
    expect(whole.due.map((each) => each.dueCents)).toEqual(
      whole.due.map((each) => each.dueCents).toSorted((one, other) => other - one),
    );

    const paged: typeof whole.due = [];
    let cursor: string | null = null;
    do {
      const page: typeof whole = await listDuePayouts({ cursor, limit: 2 });
      expect(page.due.length).toBeLessThanOrEqual(2);
      const { due: _, next, ...sums } = page;
      expect(whole).toMatchObject(sums);
      paged.push(...page.due);
      cursor = next;
    } while (cursor);
    expect(paged).toEqual(whole.due);

    const past = `1.${whole.due[0]?.creatorId}`;
    expect(await listDuePayouts({ cursor: past })).toMatchObject({
      due: [],
      next: null,
      dueCents: whole.dueCents,
    });
    expect((await listDuePayouts({ cursor: "no such place" })).due).toEqual(
      (await listDuePayouts()).due,
    );
  });
});

describe("the operator's list of payouts", () => {
  it("keeps to what is asked for, in the order asked for, page by page", async () => {
    const payouts = await payoutsOf(4, 8, 6);
    const creatorIds = payouts.map((payout) => payout.creator.id);
    await startPayout(admin.id, payouts[1]?.id ?? "");
    await markPayoutPaid(admin.id, payouts[1]?.id ?? "");
    const amounts = (list: Awaited<ReturnType<typeof listPayouts>>) =>
      list.payouts.map((payout) => payout.amountCents);
    expect(amounts(await listPayouts({ creatorIds, isPaid: false }))).toHaveLength(2);
    expect(amounts(await listPayouts({ creatorIds, isPaid: true }))).toEqual([22_400]);
    const first = await listPayouts({ creatorIds, order: "largest", limit: 2 });
    expect(amounts(first)).toEqual([22_400, 16_800]);
    expect(
      amounts(await listPayouts({ creatorIds, order: "largest", cursor: first.next })),
    ).toEqual([11_200]);
    expect(await listPayouts({ payoutIds: ["no id"] })).toEqual({ payouts: [], next: null });
  });
});
