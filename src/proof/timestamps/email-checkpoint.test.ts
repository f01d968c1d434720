import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashPassword, setEmailSetting, startSession } from "#accounts/accounts.server.ts";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import { Browser } from "#test/browser.ts";
import { readEmailsTo } from "#test/emails.ts";
import {
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  type Person,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { appendToLog } from "../log/append-to-log.server.ts";
import { startLog } from "../log/start-log.server.ts";
import { stopLog } from "../log/stop-log.server.ts";
import { emailCheckpoint } from "./email-checkpoint.server.ts";

const PASSWORD = "a long shot";

let date: CalendarDate = "2027-03-01";
let creator: Person;
let suspended: Person;
let subscriber: Person;
let other: Person;

beforeAll(async () => {
  freezeClock(instantAt(date, "06:00"));
  await startLog();
  creator = await makeTipster();
  suspended = await makeTipster({ name: "Suspended Tipster" });
  const result = await suspendCreator((await makeAdmin()).id, suspended.id, "Test");
  expect(result.ok).toBe(true);
  subscriber = await makeUser();
  other = await makeUser();
  await setEmailSetting("checkpoint", subscriber.id, true);
});
beforeEach(() => {
  date = addDays(date, 2);
  freezeClock(instantAt(date, "07:00"));
});
afterAll(() => freezeClock(null));

/** Publishes a race card for today and runs the log's job at a time. */
async function recordDay(time = "10:55"): Promise<void> {
  freezeClock(instantAt(addDays(date, -1), "12:00"));
  await publishRaceCard({ creatorId: creator.id, raceDate: date, races: [1] });
  freezeClock(instantAt(date, time));
  while ((await appendToLog()) > 0);
}

const readCheckpointEmails = async ({ email }: Person) =>
  (await readEmailsTo(email)).filter(({ kind }) => kind === "checkpoint");

async function readDay() {
  const { rows } = await pool().query(
    "select size::integer, recipients from proof_checkpoint_emails where date = $1",
    [date],
  );
  return rows;
}

async function createBrowser(person: Person): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(person.id));
  return browser;
}

describe("the email with the day's checkpoint", () => {
  it("goes to active creators and to users who asked for it, with the checkpoint as signed", async () => {
    await recordDay();
    expect(await emailCheckpoint()).toBe(2);
    const { rows } = await pool().query(
      `select c.note, c.size::integer, m.entry_index::integer from proof_manifests m
       join proof_checkpoints c on c.size = m.entry_index + 1 where m.date = $1`,
      [date],
    );
    const [{ note, size }] = rows;
    for (const person of [creator, subscriber]) {
      const emails = await readCheckpointEmails(person);
      expect(emails).toHaveLength(1);
      expect(emails[0]?.userId).toBe(person.id);
      expect(emails[0]?.text).toContain(`\n${note}`);
      expect(emails[0]?.html).toContain(note);
      expect(emails[0]?.text).toContain("Keep this email");
      expect(emails[0]?.text).toContain(`It covers ${size} entries`);
      expect(emails[0]?.text).toContain(emails[0]?.unsubscribeUrl);
      expect(emails[0]?.text).not.toContain("furlong.invalid");
    }
    for (const person of [suspended, other])
      expect(await readCheckpointEmails(person)).toHaveLength(0);
    expect(await readDay()).toEqual([{ size, recipients: 2 }]);
  });

  it("is sent once when the job runs twice, and when two processes run it at once", async () => {
    await recordDay();
    const counts = await Promise.all([emailCheckpoint(), emailCheckpoint(), emailCheckpoint()]);
    expect(counts.sort()).toEqual([0, 0, 2]);
    expect(await emailCheckpoint()).toBe(0);
    const emails = await readCheckpointEmails(creator);
    expect(emails.filter(({ createdAt }) => createdAt >= instantAt(date))).toHaveLength(1);
  });

  it("waits for the manifest", async () => {
    await recordDay("10:54");
    expect(await emailCheckpoint()).toBe(0);
    freezeClock(instantAt(date, "10:55"));
    while ((await appendToLog()) > 0);
    expect(await emailCheckpoint()).toBe(2);
  });

  it("is not sent from the first off on", async () => {
    const { id } = await findTestVenue();
    await reportOffTimes(id, date, { firstOff: "12:30" });
    await recordDay("11:10");
    freezeClock(instantAt(date, "12:30"));
    expect(await emailCheckpoint()).toBe(0);
    freezeClock(instantAt(date, "12:29"));
    expect(await emailCheckpoint()).toBe(2);
  });

  it("is not sent for a day that is over", async () => {
    await recordDay();
    freezeClock(instantAt(addDays(date, 1), "00:00"));
    expect(await emailCheckpoint()).toBe(0);
    expect(await readDay()).toEqual([]);
  });

  it("has an address at which mail programs unsubscribe", async () => {
    await recordDay();
    await emailCheckpoint();
    const [email] = (await readCheckpointEmails(subscriber)).slice(-1);
    expect(email?.unsubscribeUrl).toMatch(/^https?:\/\/[^/]+\/unsubscribe\?token=v1\.[\w-]+$/);
  });
});

describe("the choice on /proof", () => {
  it("starts and stops the emails without JavaScript", async () => {
    const browser = await createBrowser(other);
    expect(await readVisibleText(await browser.get("/proof"))).toContain(
      "Email me the day's fingerprint",
    );
    const saved = await browser.post("/proof", { wantsEmail: "on" });
    expect(await readVisibleText(saved)).toContain(
      `We'll send the day's fingerprint to ${other.email}`,
    );
    await recordDay();
    expect(await emailCheckpoint()).toBe(3);
    expect(await readCheckpointEmails(other)).toHaveLength(1);
    expect(await readVisibleText(await browser.post("/proof", {}))).toContain("We won't send you");
    date = addDays(date, 2);
    await recordDay();
    expect(await emailCheckpoint()).toBe(2);
  });

  it("refuses guests and unconfirmed addresses", async () => {
    const guest = await new Browser().post("/proof", { wantsEmail: "on" });
    expect(guest.headers.get("Location")).toMatch(/^\/login/);
    const unconfirmed = await makeUser();
    await pool().query("update users set email_verified = false where id = $1", [unconfirmed.id]);
    const browser = await createBrowser(unconfirmed);
    expect((await browser.post("/proof", { wantsEmail: "on" })).status).toBe(409);
    expect(await readVisibleText(await browser.get("/proof"))).toContain("once you have confirmed");
  });

  it("is part of the personal data, and is deleted with the account", async () => {
    const person = await makeUser({ passwordHash: await hashPassword(PASSWORD) });
    const browser = await createBrowser(person);
    await browser.post("/proof", { wantsEmail: "on" });
    const file = await (await browser.get("/profile/data")).json();
    expect(file.emails).toEqual({ dayCheckpoint: true, results: true });
    await browser.post("/profile/delete", { password: PASSWORD, confirmed: "on" });
    const { rowCount } = await pool().query(
      "select from checkpoint_email_settings where user_id = $1",
      [person.id],
    );
    expect(rowCount).toBe(0);
    await setEmailSetting("checkpoint", person.id, true);
    await recordDay();
    expect(await emailCheckpoint()).toBe(2);
  });
});

describe("the unsubscribe link", () => {
  async function readLink(person: Person): Promise<string> {
    await recordDay();
    await emailCheckpoint();
    const url = new URL((await readCheckpointEmails(person)).at(-1)?.unsubscribeUrl ?? "");
    return url.pathname + url.search;
  }

  it("changes nothing when it is opened", async () => {
    const link = await readLink(creator);
    const response = await new Browser().get(link);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await readVisibleText(response)).toContain("Stop these emails");
    date = addDays(date, 2);
    await recordDay();
    expect(await emailCheckpoint()).toBe(2);
  });

  it("stops the emails without signing in, with the button or with one click in a mail program", async () => {
    const link = await readLink(creator);
    const token = new URLSearchParams(link.split("?")[1]).get("token") ?? "";
    const stopped = await new Browser().post("/unsubscribe", { token });
    expect(await readVisibleText(stopped)).toContain("We won't send you the day's fingerprint");
    date = addDays(date, 2);
    const oneClick = await new Browser().post(await readLink(subscriber), {
      "List-Unsubscribe": "One-Click",
    });
    expect(oneClick.status).toBe(200);
    date = addDays(date, 2);
    await recordDay();
    expect(await emailCheckpoint()).toBe(0);
    expect(await readDay()).toEqual([{ size: expect.any(Number), recipients: 0 }]);
    for (const person of [creator, subscriber])
      await setEmailSetting("checkpoint", person.id, true);
  });

  it("is refused when it is incomplete or was changed", async () => {
    const link = await readLink(creator);
    for (const wrong of [link.slice(0, -3), `${link.slice(0, -4)}AAAA`, "/unsubscribe"]) {
      expect((await new Browser().post(wrong, {})).status, wrong).toBe(409);
      expect(await readVisibleText(await new Browser().get(wrong))).toContain("isn't complete");
    }
  });

  it("still works after AUTH_SECRET changed", async () => {
    const link = await readLink(creator);
    const { authSecret } = env();
    Object.assign(env(), {
      authSecret: "another secret of at least 32 letters",
      previousAuthSecret: authSecret,
    });
    try {
      expect(await readVisibleText(await new Browser().get(link))).toContain("Stop these emails");
    } finally {
      Object.assign(env(), { authSecret, previousAuthSecret: null });
    }
  });
});

it("is not sent while the log is stopped", async () => {
  await recordDay();
  await stopLog();
  expect(await emailCheckpoint()).toBe(0);
  expect(await readDay()).toEqual([]);
});
