import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { appendToLog, startLog } from "./proof.server.ts";
import { readLogSummary } from "./read-summary.server.ts";

const DAY = "2026-11-20";

beforeEach(() => freezeClock(instantAt(DAY, "08:00")));
afterAll(() => freezeClock(null));

/** Guests share a cached copy of the page, which the first test would leave to the others. */
async function createSignedInBrowser(): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession((await makeUser()).id));
  return browser;
}

// The order of these tests matters: a log is never deleted.
describe("/proof", () => {
  it("says that there is no log yet", async () => {
    expect(await readLogSummary()).toBeNull();
    const text = await readVisibleText(await (await createSignedInBrowser()).get("/proof"));
    expect(text).toContain("No log yet");
    expect(text).toContain("What this does not prove");
    expect(text).not.toContain("Fingerprint");
  });

  it("says that a new log is empty", async () => {
    await startLog();
    expect(await readLogSummary()).toMatchObject({
      size: 0,
      newestCheckpoint: null,
      creators: 0,
      newestDates: [],
    });
    const text = await readVisibleText(await (await createSignedInBrowser()).get("/proof"));
    expect(text).toContain("It was started on 20 Nov 2026, 08:00.");
  });

  it("shows the newest checkpoint, the key and each day with its files", async () => {
    const { id: creatorId, name } = await makeTipster();
    await publishRaceCard({ creatorId, raceDate: DAY });
    while ((await appendToLog()) > 0);
    const firstDay = await readLogSummary();
    const next = addDays(DAY, 1);
    freezeClock(instantAt(next, "00:00"));
    await publishRaceCard({ creatorId, raceDate: next, races: [1, 2] });
    while ((await appendToLog()) > 0);

    const summary = await readLogSummary();
    expect(summary).toMatchObject({ creators: 1, startedAt: instantAt(DAY, "08:00") });
    expect(summary?.newestDates).toEqual([
      { date: next, entries: (summary?.size ?? 0) - (firstDay?.size ?? 0) },
      { date: DAY, entries: firstDay?.size },
    ]);
    const checkpoint = summary?.newestCheckpoint;
    expect(checkpoint).toMatchObject({ size: summary?.size, signedAt: instantAt(next) });
    const note = await (await new Browser().get("/proof/log/checkpoint")).text();
    expect(note.split("\n").slice(0, 3)).toEqual([
      summary?.origin,
      String(checkpoint?.size),
      checkpoint?.root,
    ]);
    const keys = await (await new Browser().get("/proof/keys")).text();
    expect(keys).toBe(summary?.verifierKeys.map((key) => `${key} 0\n`).join(""));

    const response = await new Browser().get("/proof?invented=1");
    expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
    const html = await response.text();
    const text = await readVisibleText(new Response(html));
    expect(text).toContain(checkpoint?.root);
    expect(text).toContain(summary?.verifierKeys[0]);
    expect(text).toContain("Signed 21 Nov 2026, 00:00");
    expect(text).toContain(
      `Saturday, 21 November 2026 ${summary?.newestDates[0]?.entries} entries`,
    );
    for (const date of [DAY, next])
      expect(html).toContain(`href="/proof/days/${date}/entries.jsonl"`);
    expect(text).toContain("node bin/furlong.mjs proof http");
    expect(text).toContain("So far the times are by our own clock: no timestamp authority yet.");
    expect(text).not.toContain("openssl");
    for (const secret of ["Secret Horse", "secret reason", name])
      expect(html).not.toContain(secret);
  });

  it("names the timestamp authorities, their newest timestamps and the email of the day", async () => {
    const size = (await readLogSummary())?.size;
    await pool().query(
      `insert into proof_timestamp_requests (authority, date, requests, last_request_at)
       values ('tsa.example', $1, 1, $2), ('other.example', $1, 1, $2)`,
      [DAY, now()],
    );
    await pool().query(
      `insert into proof_timestamps (size, authority, evidence, claimed_at, received_at)
       values ($1, 'tsa.example', 'x', $2, $2), ($1, 'other.example', 'x', $2, $2)`,
      [size, now()],
    );
    await pool().query(
      `insert into proof_checkpoint_emails (date, size, recipients, created_at) values ($1, $2, 2, $3)`,
      [DAY, size, now()],
    );
    freezeClock(instantAt(DAY, "08:12"));
    const response = await (await createSignedInBrowser()).get("/proof");
    const html = await response.text();
    const text = await readVisibleText(new Response(html));
    expect(text).toContain("by our own clock, and by 2 timestamp authorities");
    expect(text).toMatch(
      new RegExp(
        `tsa\\.example ?, a timestamp authority: newest timestamp 12 min ago \\( ?20 Nov 2026, 08:00 ?\\), of ${size} entries`,
      ),
    );
    expect(text).toMatch(/other\.example ?, a timestamp authority: newest timestamp 12 min ago/);
    expect(text).toContain("We emailed the checkpoint of 20 Nov 2026 to 2 people");
    expect(text).not.toContain("no timestamp authority yet");
    expect(text).toContain("openssl ts -verify -data checkpoint -in other.example.tsr");
    expect(html).toContain(`href="/proof/checkpoints/${size}/tsa.example.tsr"`);

    freezeClock(instantAt(addDays(DAY, 8), "08:00"));
    expect((await readLogSummary())?.newestTimestamps).toEqual([]);
  });

  it("lists the newest fourteen days with entries", async () => {
    for (let day = 3; day <= 33; day += 2) {
      const date = addDays(DAY, day);
      freezeClock(instantAt(date, "23:59"));
      await publishRaceCard({ races: [1] });
      while ((await appendToLog()) > 0);
    }
    const dates = (await readLogSummary())?.newestDates.map(({ date }) => date);
    expect(dates).toEqual(Array.from({ length: 14 }, (_, index) => addDays(DAY, 33 - 2 * index)));
  });
});
