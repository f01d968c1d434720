import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import type { TipResult } from "#domain/tip.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { readAudit } from "#platform/audit/audit.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import {
  confirmRaceResult,
  enterAbandonedMeeting,
  enterRaceResult,
  type RaceResultInput,
  readRaceForResult,
  toSecondEntry,
} from "#racing/racing.server.ts";
import { Browser } from "#test/browser.ts";
import { findTestVenue, makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import { discardTipResult } from "#tips/unconfirmed-tip-results.server.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { enterTipResult } from "./enter-tip-result.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";
import { voidRaceCard } from "./void-race-card.server.ts";

let venueId: string;
let raceDate = "2027-05-01";
let admins: string[] = [];

beforeAll(async () => {
  venueId = (await findTestVenue()).id;
});
beforeEach(async () => {
  raceDate = addDays(raceDate, 1);
  freezeClock(instantAt(raceDate, "08:00"));
  await reportRacesWithRunners(venueId, raceDate);
  admins = [];
});
afterEach(async () => {
  await expectInvariantsToHold();
  freezeClock(null);
});

const race = (raceNumber = 1) => ({ venueId, raceDate, raceNumber });

const publishTip = (creatorId = "") =>
  publishRaceCard({
    creatorId,
    raceDate,
    races: [{ raceNumber: 1, horseNumber: 1, horseName: "Horse 1" }],
  });

/** Makes the admins of the installation: `independent` without tips, and `tipsters` with a tip in race 1. */
async function startWith({ independent = 0, tipsters = 0 }): Promise<void> {
  for (let count = 0; count < independent + tipsters; count += 1) {
    const { id } = await makeTipster();
    await pool().query(
      "insert into user_roles (user_id, role, granted_at) values ($1, 'admin', now())",
      [id],
    );
    admins.push(id);
    if (count >= independent) await publishTip(id);
  }
  await pool().query(
    "delete from user_roles where role = 'admin' and not (user_id = any ($1::uuid[]))",
    [admins],
  );
  freezeClock(instantAt(raceDate, "20:00"));
}

const INPUT: RaceResultInput = {
  ...{ status: "official", time: "13:02", starters: null, placesPaid: null },
  ...{ source: "NHA", sourceUrl: null, reason: "" },
  runners: [1, 2, 3].map((number) => ({
    ...{ number, outcome: "finished", position: number },
    ...{ startingPrice: null, winDividendCents: null, placeDividendCents: null },
  })),
};
const ABANDONED: RaceResultInput = { ...INPUT, status: "abandoned", time: null, runners: [] };

const enter = (admin: number, { input = INPUT, raceNumber = 1 } = {}) =>
  enterRaceResult(admins[admin] ?? null, race(raceNumber), input, { via: "form" });

const confirm = async (admin: number, raceNumber = 1) =>
  (await confirmTogether([admin], raceNumber))[0];

/** Confirms the unconfirmed result as these admins at the same time. */
async function confirmTogether(confirming: readonly number[], raceNumber = 1) {
  const result = (await readRaceForResult(race(raceNumber)))?.unconfirmed;
  if (!result) throw new Error("no result waits for confirmation");
  const entry = { resultId: result.id, second: toSecondEntry(result) };
  return await Promise.all(
    confirming.map((admin) => confirmRaceResult(admins[admin] ?? "", race(raceNumber), entry)),
  );
}

const REFUSED = { ok: false, refusal: "has-tips" };
const marked = (isEnteredByOnePerson: boolean) => ({ ok: true, result: { isEnteredByOnePerson } });

describe("who may enter and confirm the result of a race", () => {
  it("is two admins without tips in it, while two exist", async () => {
    await startWith({ independent: 2, tipsters: 1 });
    expect(await enter(2)).toEqual(REFUSED);
    expect(await enter(2, { input: ABANDONED })).toEqual(REFUSED);
    // The tips are in race 1.
    expect(await enter(2, { raceNumber: 2 })).toMatchObject({ ok: true });
    expect(await enter(0)).toMatchObject({ ok: true });
    expect(await confirm(2)).toEqual(REFUSED);
    expect(await confirm(0)).toEqual({ ok: false, refusal: "same-admin" });
    expect(await confirm(1)).toMatchObject(marked(false));
    expect(await confirm(0, 2)).toMatchObject(marked(false));
  });

  it("counts hidden tips", async () => {
    await startWith({ independent: 2, tipsters: 1 });
    const { rows } = await pool().query(
      "select t.id from tips t join race_cards c on c.id = t.race_card_id where c.creator_id = $1",
      [admins[2]],
    );
    await hideTip(admins[0] ?? "", rows[0]?.id, "test");
    expect(await enter(2)).toEqual(REFUSED);
  });

  it("is the only admin without tips alone, whose result is marked", async () => {
    await startWith({ independent: 1, tipsters: 1 });
    expect(await enter(1)).toEqual(REFUSED);
    expect(await enter(0)).toMatchObject({ ok: true });
    expect(await confirm(1)).toEqual(REFUSED);
    expect(await confirm(0)).toMatchObject(marked(true));
  });

  it("is any admin if all have tips in it, and the result is marked although two confirmed it", async () => {
    await startWith({ tipsters: 2 });
    expect(await enter(0)).toMatchObject({ ok: true });
    expect(await confirm(1)).toMatchObject(marked(true));
  });

  it("marks a result whose first author published a tip in the race later", async () => {
    await startWith({ independent: 3 });
    freezeClock(instantAt(raceDate, "08:00"));
    expect(await enter(0, { input: ABANDONED })).toMatchObject({ ok: true });
    await publishTip(admins[0]);
    expect(await confirm(1)).toMatchObject(marked(true));
  });

  it("refuses an abandoned meeting if the admin has tips in one of its races", async () => {
    await startWith({ independent: 2, tipsters: 1 });
    const meeting = { venueId, raceDate, firstRaceNumber: 1, source: "NHA", sourceUrl: null };
    expect(await enterAbandonedMeeting(admins[2] ?? "", meeting)).toEqual({
      ...REFUSED,
      raceNumber: 1,
    });
    const later = { ...meeting, firstRaceNumber: 2 };
    expect(await enterAbandonedMeeting(admins[2] ?? "", later)).toMatchObject({ ok: true });
  });

  it("confirms once when both admins without tips and one with tips confirm together", async () => {
    await startWith({ independent: 3, tipsters: 1 });
    await enter(0);
    const outcomes = await confirmTogether([1, 2, 3]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes[2]).toMatchObject({ ok: false });
  });

  it("is checked by the database too", async () => {
    await startWith({ independent: 2, tipsters: 1 });
    await enter(0);
    const update = (admin: number, isOnePerson = false) =>
      pool().query(
        `update race_results r set confirmed_by = $1, confirmed_at = now(), is_entered_by_one_person = $2
         from race_days d where d.id = r.race_day_id and d.venue_id = $3 and d.race_date = $4`,
        [admins[admin], isOnePerson, venueId, raceDate],
      );
    await expect(update(2)).rejects.toThrow("by admins without tips in the race");
    await expect(update(0, true)).rejects.toThrow("confirmed by another admin");
    await expect(update(0)).rejects.toMatchObject({ constraint: "race_results_two_people" });
    await expect(
      pool().query(
        `insert into race_results (race_day_id, race_number, version, status, places_paid, source, via, entered_by, entered_at)
         select race_day_id, 1, 2, 'void', 0, 'test', 'form', $1, now() from race_results where entered_by = $2`,
        [admins[2], admins[0]],
      ),
    ).rejects.toThrow("by admins without tips in the race");
  });

  it("is said on the pages, and their forms are not shown to an admin with tips", async () => {
    await startWith({ independent: 2, tipsters: 1 });
    const browser = new Browser();
    browser.applyCookies(await startSession(admins[2] ?? ""));
    const abandoned = { firstRaceNumber: "1", source: "NHA", sourceUrl: "" };
    const meeting = `/admin/results/${venueId}/${raceDate}/abandoned`;
    const message = "You have tips in this race.";
    const refusedMeeting = await browser.post(meeting, abandoned);
    expect([refusedMeeting.status, await readVisibleText(refusedMeeting)]).toMatchObject([
      403,
      expect.stringContaining(`Race 1: ${message}`),
    ]);
    await enter(0);
    const path = `/admin/results/${venueId}/${raceDate}/1`;
    for (const page of [path, `${path}/confirm`]) {
      const text = await readVisibleText(await browser.get(page));
      expect(text).toContain(message);
      expect(text).not.toMatch(/Compare|Save result|Confirm result/);
    }
    const list = await readVisibleText(await browser.get("/admin/results"));
    expect(list).toContain("You have tips in it");
    const result = (await readRaceForResult(race()))?.unconfirmed?.id ?? "";
    const fields = { result, status: "abandoned", confirmed: "yes" };
    const refused = await browser.post(`${path}/confirm`, fields);
    expect([refused.status, await readVisibleText(refused)]).toMatchObject([
      403,
      expect.stringContaining(message),
    ]);
    const entered = { status: "abandoned", source: "NHA", replaces: result };
    expect((await browser.post(path, entered)).status).toBe(403);
  });
});

describe("who may enter the result of a single tip", () => {
  async function readTipOf(admin: number): Promise<{ id: string; raceCardId: string }> {
    const { rows } = await pool().query(
      `select t.id, c.id as "raceCardId" from tips t join race_cards c on c.id = t.race_card_id
       where c.creator_id = $1 and c.race_date = $2`,
      [admins[admin], raceDate],
    );
    return rows[0];
  }
  const enterTip = async (admin: number, tipId: string, result: TipResult = "won") =>
    await enterTipResult(admins[admin] ?? "", { tipId, result, reason: "Photo finish" });

  it("is an admin without tips in its race, and the tipster neither", async () => {
    await startWith({ independent: 1, tipsters: 2 });
    const { id, raceCardId } = await readTipOf(1);
    for (const admin of [1, 2]) {
      for (const result of ["won", "void"] as const)
        expect(await enterTip(admin, id, result)).toEqual(REFUSED);
      const params = { raceCardId, reason: "Fraud" };
      expect(await voidRaceCard(admins[admin] ?? "", params)).toEqual(REFUSED);
    }
    const together = await Promise.all([0, 1].map((admin) => enterTip(admin, id)));
    expect(together).toMatchObject([{ ok: true, previous: null }, REFUSED]);
    expect(await enterTip(0, id)).toMatchObject({ ok: true, previous: "won" });
    await expect(
      pool().query("update tips set settled_by = $1 where id = $2", [admins[1], id]),
    ).rejects.toThrow("the result of a tip must be confirmed before it is set");
    await expect(
      pool().query(
        `insert into tip_results (race_card_id, tip_id, result, reason, entered_by, entered_at)
         values ($1, $2, 'void', 'Fraud', $3, now())`,
        [raceCardId, id, admins[1]],
      ),
    ).rejects.toThrow("by admins without tips in the race");
  });

  it("is any admin if all have tips in it", async () => {
    await startWith({ tipsters: 2 });
    expect(await enterTip(1, (await readTipOf(1)).id)).toMatchObject({ ok: true });
  });

  it("is said to the admin", async () => {
    await startWith({ independent: 1, tipsters: 1 });
    const { id, raceCardId } = await readTipOf(1);
    const browser = new Browser();
    browser.applyCookies(await startSession(admins[1] ?? "", { codeVerifiedAt: now() }));
    for (const [path, fields] of [
      [`/admin/tips/${id}/result`, { result: "won" }],
      [`/admin/race-cards/${raceCardId}/void`, { confirmed: "yes" }],
    ] as const) {
      const refused = await browser.post(path, { ...fields, reason: "Photo finish" });
      expect([refused.status, await readVisibleText(refused)]).toMatchObject([
        403,
        expect.stringContaining("You have tips in this race."),
      ]);
    }
  });
});

describe("the result of a single tip and a void race card", () => {
  let tipId = "";
  let raceCardId = "";
  let buyerId = "";
  beforeEach(async () => {
    const creator = await makeTipster();
    ({ raceCardId } = await publishTip(creator.id));
    buyerId = (await makeUser({ coins: 10 })).id;
    await unlockRaceCardAs(buyerId, { raceCardId });
    const { rows } = await pool().query("select id from tips where race_card_id = $1", [
      raceCardId,
    ]);
    tipId = rows[0].id;
  });

  const enterTip = async (admin: number, result: TipResult = "void", reason = "Non-runner") =>
    await enterTipResult(admins[admin] ?? "", { tipId, result, reason });
  const voidCard = async (admin: number) =>
    await voidRaceCard(admins[admin] ?? "", { raceCardId, reason: "Fraud" });
  async function readState() {
    await drainQueue([returnCoins]);
    const { rows } = await pool().query(
      `select t.result, n.has_one_person_results as "isMarked",
         (select count(*)::int from tip_results r where r.race_card_id = c.id and r.confirmed_at is null) as waiting,
         (select count(*)::int from result_entries e where e.tip_id = t.id) as entries
       from tips t join race_cards c on c.id = t.race_card_id
       join creator_records n on n.creator_id = c.creator_id where t.id = $1`,
      [tipId],
    );
    return { ...rows[0], coins: (await readWallet(buyerId)).balanceCoins };
  }
  const UNCHANGED = { result: null, isMarked: false, waiting: 1, entries: 0, coins: 6 };
  const VOIDED = { result: "void", isMarked: false, waiting: 0, entries: 1, coins: 10 };

  it("waits until another admin has entered the same", async () => {
    await startWith({ independent: 3 });
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(await enterTip(0)).toEqual({ ok: true, isWaiting: true });
    expect(await readState()).toEqual(UNCHANGED);
    expect(await enterTip(1, "won")).toEqual({ ok: false, refusal: "different" });
    expect(await readState()).toEqual(UNCHANGED);
    expect(await enterTip(1, "void", "Mine")).toMatchObject({
      ok: true,
      isWaiting: false,
      reason: "Non-runner",
    });
    expect(await enterTip(2)).toMatchObject({ ok: true, isWaiting: false });
    expect(await readState()).toEqual(VOIDED);
    const audit = await readAudit({ subject: tipId, limit: 10 });
    expect(audit.entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["correct-result", admins[1]],
      ["differ-on-tip-result", admins[1]],
      ["enter-tip-result", admins[0]],
    ]);
    // The other admin must not learn the result from the audit log.
    expect(JSON.stringify(audit.entries.at(-1))).not.toContain("void");
  });

  it("replaces an admin's own entry, which does not confirm it", async () => {
    await startWith({ independent: 2 });
    await enterTip(0);
    expect(await enterTip(0, "won")).toEqual({ ok: true, isWaiting: true });
    expect(await readState()).toEqual(UNCHANGED);
    expect(await enterTip(1)).toEqual({ ok: false, refusal: "different" });
    expect(await enterTip(1, "won")).toMatchObject({ isWaiting: false });
    expect(await readState()).toMatchObject({ result: "won", waiting: 0, coins: 6 });
  });

  it("is voided as a race card by two admins", async () => {
    await startWith({ independent: 2 });
    await enterTip(0, "won");
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(await voidCard(0)).toMatchObject({ ok: true, voided: null });
    expect(await readState()).toEqual({ ...UNCHANGED, waiting: 2 });
    expect(await voidCard(1)).toMatchObject({ ok: true, voided: 1 });
    expect(await voidCard(0)).toMatchObject({ ok: true, voided: 0 });
    expect(await readState()).toEqual(VOIDED);
  });

  it("counts immediately, marked, where only one admin has no tips in the race", async () => {
    await startWith({ independent: 1 });
    expect(await enterTip(0)).toMatchObject({ ok: true, isOnePerson: true });
    expect(await readState()).toEqual({ ...VOIDED, isMarked: true });
    expect(await voidCard(0)).toMatchObject({ ok: true, voided: 0, isOnePerson: true });
    expect(await readState()).toEqual({ ...VOIDED, isMarked: true });
  });

  it("counts once when admins enter it together", async () => {
    await startWith({ independent: 2 });
    const together = await Promise.all([0, 1, 0, 1].map((admin) => enterTip(admin)));
    expect(together.filter((each) => each.ok && each.isWaiting).length).toBeGreaterThan(0);
    expect(await readState()).toEqual(VOIDED);
    const voids = await Promise.all([0, 1, 0, 1].map((admin) => voidCard(admin)));
    expect(voids.every(({ ok }) => ok)).toBe(true);
    expect(await readState()).toEqual(VOIDED);
  });

  it("is discarded, and by the official result of the race", async () => {
    await startWith({ independent: 2 });
    await enterTip(0);
    const { rows } = await pool().query("select id from tip_results where tip_id = $1", [tipId]);
    for (const isDiscarded of [true, false])
      expect(await discardTipResult(admins[1] ?? "", rows[0].id)).toBe(isDiscarded);
    expect(await discardTipResult(admins[1] ?? "", "nothing")).toBe(false);
    expect(await readState()).toEqual({ ...UNCHANGED, waiting: 0 });
    await enterTip(0);
    await enter(0);
    await confirm(1);
    expect(await readState()).toMatchObject({ result: "won", waiting: 0 });
    expect(await enterTip(1)).toEqual({ ok: false, refusal: "official-result" });
  });

  it("is not discarded once another admin has confirmed it", async () => {
    await startWith({ independent: 2 });
    await enterTip(0);
    const { rows } = await pool().query("select id from tip_results where tip_id = $1", [tipId]);
    await enterTip(1);
    expect(await discardTipResult(admins[1] ?? "", rows[0].id)).toBe(false);
    expect(await readState()).toEqual(VOIDED);
  });

  it("shows the other admin what it moves, and not what was entered", async () => {
    await startWith({ independent: 2 });
    const browsers = [new Browser(), new Browser()] as const;
    for (const [index, browser] of browsers.entries())
      browser.applyCookies(await startSession(admins[index] ?? ""));
    const [first, second] = browsers;
    const path = `/admin/tips/${tipId}/result`;
    const fields = { result: "void", reason: "Vet said no" };
    expect(await readVisibleText(await first.post(path, fields))).toContain(
      "Result entered. Another admin must enter the same result.",
    );
    const page = await readVisibleText(await second.get(`/admin/race-cards/${raceCardId}`));
    expect(page).toContain("entered a result");
    expect(page).toContain("Vet said no");
    const attention = await readVisibleText(await second.get("/admin"));
    expect(attention).toContain("one tip");
    expect(await readVisibleText(await second.get("/admin/results"))).toContain(
      "Result of one tip",
    );
    const effect =
      "1 tip changes. 4 coins go back to buyers, for 1 sale. The tipster earns R28.00 less.";
    expect(await readVisibleText(await second.post(path, fields))).toContain(effect);
    expect(await readState()).toEqual(UNCHANGED);
    expect(await readVisibleText(await second.post(path, { ...fields, result: "won" }))).toContain(
      "Another admin entered another result of this tip.",
    );
    await second.post(path, { ...fields, confirmed: "yes" });
    expect(await readState()).toEqual(VOIDED);
  });

  it("shows what a void race card moves", async () => {
    await startWith({ independent: 2 });
    const path = `/admin/race-cards/${raceCardId}/void`;
    const browser = new Browser();
    browser.applyCookies(await startSession(admins[1] ?? ""));
    const post = async (fields: Record<string, string>) =>
      await readVisibleText(await browser.post(path, { reason: "Fraud", ...fields }));
    expect(await post({})).toContain("Nothing changes until another admin voids it too.");
    await voidCard(0);
    expect(await post({})).toContain("4 coins go back to buyers, for 1 sale.");
    expect(await readState()).toEqual(UNCHANGED);
    expect(await post({ confirmed: "yes" })).toContain("Race card voided.");
    expect(await readState()).toEqual(VOIDED);
  });
});
