import { beforeEach, describe, expect, it, vi } from "vitest";
import { setEmailSetting, startSession } from "#accounts/accounts.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, type CalendarDate, formatDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import {
  closeTestAccount,
  findTestVenue,
  grantTestCoins,
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
} from "#test/factories.ts";
import { createResultConfirmer, reportRacesWithRunners } from "#test/official-results.ts";
import { readVisibleText } from "#test/page-text.ts";
import { hideTip } from "#tips/tip-visibility.server.ts";
import {
  emailResults,
  readResultsEmailSetting,
  skipResultsEmailsBefore,
} from "./email-results.server.ts";
import { unlockRaceCardAs } from "./unlock-race-card.server.ts";

/** Each test has its own day, so that its race cards are the only ones of today. */
let today: CalendarDate = "2028-03-05";
let venueId: string;

beforeEach(async () => {
  today = addDays(today, 1);
  freezeClock(instantAt(today, "07:00"));
  venueId = (await findTestVenue()).id;
  await reportRacesWithRunners(venueId, today);
  return () => freezeClock(null);
});

/** Publishes a race card with one horse for each race, from the first on. */
async function publish(horseNumbers: number[], raceDate = today) {
  return await publishRaceCard({
    raceDate,
    races: horseNumbers.map((horseNumber, index) => ({
      raceNumber: index + 1,
      horseNumber,
      horseName: `Horse ${horseNumber}`,
    })),
  });
}

async function open(raceCardId: string, buyer?: Person): Promise<Person> {
  const person = buyer ?? (await makeUser({ coins: 40 }));
  expect(await unlockRaceCardAs(person.id, { raceCardId })).toMatchObject({ ok: true });
  return person;
}

/** Confirms the order 2, 3, 5 for these races. */
async function confirmRaces(raceNumbers: number[], confirmedAt?: Date): Promise<void> {
  const confirm = await createResultConfirmer();
  for (const raceNumber of raceNumbers)
    await confirm(
      { venueId, raceDate: today, raceNumber },
      {
        order: [
          [2, "5/1"],
          [3, "3/1"],
          [5, "2/1"],
        ],
        confirmedAt,
      },
    );
}

async function run(time: string): Promise<void> {
  freezeClock(instantAt(today, time));
  await emailResults.run({}, { isLast: false });
}

const readResultsEmails = async ({ email }: Person) =>
  (await readEmailsTo(email)).filter(({ kind }) => kind === "results");

const readSubjects = async (buyer: Person) =>
  (await readResultsEmails(buyer)).map(({ subject }) => subject);

async function findTip(raceCardId: string, raceNumber: number): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    "select id from tips where race_card_id = $1 and race_number = $2",
    [raceCardId, raceNumber],
  );
  return rows[0]?.id ?? "";
}

describe("the email with the results of opened race cards", () => {
  it("is sent once all results are official, with wins and losses of every card and the official horses", async () => {
    const first = await publish([2, 3, 5]);
    const second = await publish([6, 2]);
    await publish([4]);
    const buyer = await open(second.raceCardId, await open(first.raceCardId));
    await confirmRaces([1, 2]);
    await run("20:00");
    expect(await readResultsEmails(buyer)).toEqual([]);
    await confirmRaces([3]);
    await run("20:01");
    const [email, ...others] = await readResultsEmails(buyer);
    expect(others).toEqual([]);
    expect(email).toMatchObject({ subject: "Your day: 2 of 5 won", userId: buyer.id });
    for (const text of [email?.text, email?.html]) {
      expect(text).toContain(": 1 of 3 won");
      expect(text).toContain(": 1 of 2 won");
      expect(text).toContain("Race 1: 2 Horse 2 (win)");
      expect(text).toContain("1st 2 Horse 2, 2nd 3 Horse 3, 3rd 5 Horse 5.");
      expect(text).toContain("Race 1: 6 Horse 6 (win)");
      expect(text).toContain("Lost");
      expect(text).toContain("/my-cards");
      expect(text).toContain(email?.unsubscribeUrl);
      expect(text).not.toContain("Horse 4");
      expect(text).not.toContain("not official yet");
      expect(text).not.toContain("secret reason");
    }
  });

  it("says in the evening what is still open", async () => {
    const { raceCardId } = await publish([2, 6, 3]);
    const buyer = await open(raceCardId);
    await confirmRaces([1, 2]);
    await run("20:59");
    expect(await readResultsEmails(buyer)).toEqual([]);
    await run("21:00");
    const [email] = await readResultsEmails(buyer);
    expect(email?.subject).toBe("Your day: 1 of 2 won, 1 without a result");
    expect(email?.text).toContain("Not official yet");
    expect(email?.text).toContain("we won't email you again about this day");
  });

  it("does not wait for a selection that was hidden before the sale", async () => {
    const raceCard = await publish([2, 6, 3]);
    await hideTip((await makeAdmin()).id, await findTip(raceCard.raceCardId, 3));
    const buyer = await open(raceCard.raceCardId);
    await confirmRaces([1, 2]);
    await run("20:00");
    expect(await readSubjects(buyer)).toEqual(["Your day: 1 of 2 won"]);
  });

  it("is not sent in the evening for the result of a selection that was hidden before the sale", async () => {
    const raceCard = await publish([2, 6]);
    await hideTip((await makeAdmin()).id, await findTip(raceCard.raceCardId, 1));
    const buyer = await open(raceCard.raceCardId);
    await confirmRaces([1]);
    await run("21:00");
    expect(await readSubjects(buyer)).toEqual([]);
    await confirmRaces([2]);
    await run("21:16");
    expect(await readSubjects(buyer)).toEqual(["Your day: 0 of 1 won"]);
  });

  it("waits in the evening for the first official result", async () => {
    const { raceCardId } = await publish([2, 6]);
    const buyer = await open(raceCardId);
    await run("21:00");
    expect(await readResultsEmails(buyer)).toEqual([]);
    await confirmRaces([1]);
    await run("21:16");
    const [email] = await readResultsEmails(buyer);
    expect(email?.subject).toBe("Your day: 1 of 1 won, 1 without a result");
  });

  it("is sent the next morning, once, when the first result became official after midnight", async () => {
    const { raceCardId } = await publish([2, 6]);
    const buyer = await open(raceCardId);
    const { raceCardId: onTime } = await publish([3]);
    const other = await open(onTime);
    await run("23:59");
    expect(await readResultsEmails(buyer)).toEqual([]);
    const raceDate = today;
    const nextDay = addDays(today, 1);
    await confirmRaces([1], instantAt(nextDay, "00:40"));
    today = nextDay;
    await run("00:45");
    await run("06:59");
    expect(await readResultsEmails(buyer)).toEqual([]);
    await run("07:00");
    await Promise.all([run("07:01"), run("07:01")]);
    for (const person of [buyer, other]) {
      const [email, ...others] = await readResultsEmails(person);
      expect(others).toEqual([]);
      expect(email?.text).toContain(formatDate(raceDate));
    }
    today = addDays(today, 1);
    await run("07:00");
    expect(await readResultsEmails(buyer)).toHaveLength(1);
  });

  it("is sent the next morning, once, when the job did not run after the result", async () => {
    const { raceCardId } = await publish([2]);
    const buyer = await open(raceCardId);
    await run("20:00");
    await confirmRaces([1], instantAt(today, "23:59"));
    today = addDays(today, 1);
    await run("00:00");
    expect(await readResultsEmails(buyer)).toEqual([]);
    await run("07:00");
    expect(await readResultsEmails(buyer)).toHaveLength(1);
    await run("07:01");
    expect(await readResultsEmails(buyer)).toHaveLength(1);
  });

  it("is not sent again on the next days, also when a result is corrected then", async () => {
    const raceDate = today;
    const { raceCardId } = await publish([2]);
    const buyer = await open(raceCardId);
    await confirmRaces([1]);
    await run("20:00");
    const confirm = await createResultConfirmer();
    for (const days of [1, 2]) {
      today = addDays(raceDate, days);
      freezeClock(instantAt(today, "08:00"));
      const first: [number, string] = days === 1 ? [3, "3/1"] : [2, "5/1"];
      const second: [number, string] = days === 1 ? [2, "5/1"] : [3, "3/1"];
      await confirm(
        { venueId, raceDate, raceNumber: 1 },
        {
          order: [first, second, [5, "2/1"]],
          confirmedAt: instantAt(today, "08:00"),
          reason: "The first two were exchanged",
        },
      );
      await run("08:01");
      expect(await readResultsEmails(buyer)).toHaveLength(1);
    }
  });

  it("is not sent about the days of the demo's history", async () => {
    const buyer = await open((await publish([2])).raceCardId);
    await confirmRaces([1]);
    today = addDays(today, 1);
    await skipResultsEmailsBefore(today);
    await run("08:00");
    expect(await readResultsEmails(buyer)).toEqual([]);
  });

  it("waits for a change of the account that is under way, and follows it", async () => {
    const { raceCardId } = await publish([2]);
    const buyer = await open(raceCardId);
    await confirmRaces([1]);
    const client = await pool().connect();
    try {
      await client.query("begin");
      await client.query("update users set email_verified = false where id = $1", [buyer.id]);
      const running = run("20:01");
      await vi.waitFor(
        async () => {
          const { rows } = await pool().query(
            "select from pg_locks where not granted and pid <> pg_backend_pid()",
          );
          expect(rows.length).toBeGreaterThan(0);
        },
        { timeout: 20_000 },
      );
      await client.query("commit");
      await running;
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await readResultsEmails(buyer)).toEqual([]);
  });

  it("names a race that was not run, and does not count it", async () => {
    const { raceCardId } = await publish([2, 6]);
    const buyer = await open(raceCardId);
    await confirmRaces([1]);
    const confirm = await createResultConfirmer();
    await confirm({ venueId, raceDate: today, raceNumber: 2 }, { order: [], status: "abandoned" });
    await run("20:01");
    const [email] = await readResultsEmails(buyer);
    expect(email?.subject).toBe("Your day: 1 of 1 won");
    expect(email?.text).toContain("Abandoned");
    expect(email?.text).toContain("Void");
  });

  it("is sent once a day: not again by a second process, after a correction or for a card opened later", async () => {
    const buyer = await open((await publish([2])).raceCardId);
    const late = await publish([3, 3, 3, 3]);
    await confirmRaces([1]);
    freezeClock(instantAt(today, "20:01"));
    await Promise.all([1, 2, 3].map(() => emailResults.run({}, { isLast: false })));
    expect(await readResultsEmails(buyer)).toHaveLength(1);
    const confirm = await createResultConfirmer();
    await confirm(
      { venueId, raceDate: today, raceNumber: 1 },
      {
        order: [
          [3, "3/1"],
          [2, "5/1"],
          [5, "2/1"],
        ],
        reason: "The first two were exchanged",
      },
    );
    freezeClock(instantAt(today, "12:00"));
    await open(late.raceCardId, buyer);
    await run("21:30");
    expect(await readResultsEmails(buyer)).toHaveLength(1);
    // The next day is another day.
    today = addDays(today, 1);
    freezeClock(instantAt(today, "07:00"));
    await reportRacesWithRunners(venueId, today);
    await open((await publish([2])).raceCardId, buyer);
    await confirmRaces([1]);
    await run("21:00");
    expect(await readResultsEmails(buyer)).toHaveLength(2);
    const { rows } = await pool().query(
      "select distinct race_date::text from results_emails order by 1",
    );
    expect(rows).toEqual([{ race_date: addDays(today, -1) }, { race_date: today }]);
  });

  it("leaves out days before and after, and users who have opened nothing for today", async () => {
    const tomorrow = addDays(today, 1);
    await reportRacesWithRunners(venueId, tomorrow);
    const buyer = await open((await publish([2], tomorrow)).raceCardId);
    await publish([2]);
    await confirmRaces([1]);
    await run("23:59");
    expect(await readResultsEmails(buyer)).toEqual([]);
    today = addDays(tomorrow, 1);
    await run("00:00");
    expect(await readResultsEmails(buyer)).toEqual([]);
  });

  it("does not go to closed accounts, suspended tipsters, unconfirmed addresses and those who stopped it", async () => {
    const { raceCardId } = await publish([2]);
    const tipster = await makeTipster();
    await grantTestCoins(tipster.id, 4);
    const [closed, unconfirmed, stopped, other] = [
      await open(raceCardId),
      await open(raceCardId),
      await open(raceCardId),
      await open(raceCardId),
    ];
    await open(raceCardId, tipster);
    await closeTestAccount(closed.id);
    await suspendCreator((await makeAdmin()).id, tipster.id, "Test");
    await pool().query("update users set email_verified = false where id = $1", [unconfirmed.id]);
    await setEmailSetting("results", stopped.id, false);
    await confirmRaces([1]);
    await run("21:00");
    for (const person of [closed, tipster, unconfirmed, stopped])
      expect(await readResultsEmails(person)).toEqual([]);
    expect(await readResultsEmails(other)).toHaveLength(1);
    await setEmailSetting("results", stopped.id, true);
    await run("21:02");
    expect(await readResultsEmails(stopped)).toHaveLength(1);
    // Only the other email of the day is left out.
    expect(await readResultsEmails(other)).toHaveLength(1);
  });

  it("stops with one click in a mail program, for this buyer and this email alone", async () => {
    const { raceCardId } = await publish([2]);
    const [buyer, other] = [await open(raceCardId), await open(raceCardId)];
    await setEmailSetting("checkpoint", buyer.id, true);
    await confirmRaces([1]);
    await run("21:00");
    const [email] = await readResultsEmails(buyer);
    const url = new URL(email?.unsubscribeUrl ?? "");
    const link = url.pathname + url.search;
    expect(await readVisibleText(await new Browser().get(link))).toContain("Your results by email");
    expect(await readResultsEmailSetting(buyer.id)).toBe(true);
    const response = await new Browser().post(link, { "List-Unsubscribe": "One-Click" });
    expect(response.status).toBe(200);
    expect(await readVisibleText(response)).toContain("We won't email you the results");
    expect(await readResultsEmailSetting(buyer.id)).toBe(false);
    expect(await readResultsEmailSetting(other.id)).toBe(true);
    const { rows } = await pool().query(
      "select wants_email from checkpoint_email_settings where user_id = $1",
      [buyer.id],
    );
    expect(rows).toEqual([{ wants_email: true }]);
  });
});

describe("the email settings on the profile", () => {
  it("show and store both settings, and leave a default that is not changed", async () => {
    const person = await makeUser();
    const browser = new Browser();
    browser.applyCookies(await startSession(person.id));
    const page = await (await browser.get("/profile/emails")).text();
    expect(page).toMatch(/name="results"[^>]* checked/);
    expect(page).not.toMatch(/name="checkpoint"[^>]* checked/);
    const saved = await browser.post("/profile/emails", {});
    expect(await readVisibleText(saved)).toContain("Email settings saved.");
    expect(await readResultsEmailSetting(person.id)).toBe(false);
    const { rowCount } = await pool().query(
      "select from checkpoint_email_settings where user_id = $1",
      [person.id],
    );
    expect(rowCount).toBe(0);
    await browser.post("/profile/emails", { results: "on", checkpoint: "on" });
    expect(await readResultsEmailSetting(person.id)).toBe(true);
    const both = await (await browser.get("/profile/emails")).text();
    expect(both).toMatch(/name="results"[^>]* checked/);
    expect(both).toMatch(/name="checkpoint"[^>]* checked/);
    await closeTestAccount(person.id);
    for (const table of ["results_email_settings", "checkpoint_email_settings"]) {
      const { rows } = await pool().query(`select from ${table} where user_id = $1`, [person.id]);
      expect(rows).toEqual([]);
    }
  });

  it("ask guests to log in", async () => {
    const response = await new Browser().get("/profile/emails");
    expect(response.headers.get("Location")).toMatch(/^\/login/);
  });
});
