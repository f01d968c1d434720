import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, type CalendarDate, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { env } from "#platform/env.server.ts";
import {
  findTestVenue,
  makeTipster,
  type Person,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import {
  type Behaviour,
  FakeTimestampAuthority,
  sendTimestamp,
} from "#test/fake-timestamp-authority.ts";
import { expectInvariantsToHold } from "#test/integrity-checks.ts";
import { appendToLog } from "../log/append-to-log.server.ts";
import { confirmLog } from "../log/confirm-log.server.ts";
import { startLog } from "../log/start-log.server.ts";
import { stopLog } from "../log/stop-log.server.ts";
import { readRaceCardEntries } from "../read-race-card-entries.server.ts";
import { timestampCheckpoints } from "./timestamp-checkpoints.server.ts";

const MINUTE_MS = 60_000;

let date: CalendarDate = "2027-05-01";
let creator: Person;
let venueId: string;
let race = 0;
const first = new FakeTimestampAuthority("first.example", now);
const second = new FakeTimestampAuthority("second.example", now);

beforeAll(async () => {
  await Promise.all([first.start(), second.start()]);
  freezeClock(instantAt(date, "06:00"));
  await startLog();
  creator = await makeTipster();
  venueId = (await findTestVenue()).id;
});
beforeEach(() => {
  useClocks(first, second);
  first.behaviour = null;
  second.behaviour = null;
  startDay();
});
afterAll(async () => {
  freezeClock(null);
  useClocks();
  await Promise.all([first.stop(), second.stop()]);
});

function useClocks(...authorities: FakeTimestampAuthority[]): void {
  Object.assign(env(), {
    timestampAuthorities: authorities.map(({ name, url }) => ({ name, url })),
  });
}

/** Starts two days later, so that what earlier tests left is over. */
function startDay(): void {
  date = addDays(date, 2);
  race = 0;
  freezeClock(instantAt(date, "07:00"));
  for (const authority of [first, second]) authority.requests.length = 0;
}

function waitMinutes(minutes: number): void {
  freezeClock(new Date(now().getTime() + minutes * MINUTE_MS));
}

/** Makes a new checkpoint with one tip and returns its size and note. */
async function publishTip(raceDate = addDays(date, 1)): Promise<{ size: number; note: string }> {
  race += 1;
  await publishRaceCard({ creatorId: creator.id, raceDate, races: [race] });
  while ((await appendToLog()) > 0);
  const { rows } = await pool().query(
    "select size::integer, note from proof_checkpoints order by size desc limit 1",
  );
  return rows[0];
}

async function readTimestamps(size: number) {
  const { rows } = await pool().query(
    `select authority, claimed_at as "claimedAt", received_at as "receivedAt"
     from proof_timestamps where size = $1 order by authority`,
    [size],
  );
  return rows;
}

async function countOpenAlerts(): Promise<number> {
  const { rowCount } = await pool().query(
    "select from alerts where kind = 'log-not-timestamped' and resolved_at is null",
  );
  return rowCount ?? 0;
}

describe("timestamps of the log", () => {
  it("are requested of the note as signed, from every authority, and stored whole", async () => {
    const { size, note } = await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
    const digest = createHash("sha256").update(note).digest("hex");
    expect([first.requests, second.requests]).toEqual([[digest], [digest]]);
    expect(await readTimestamps(size)).toEqual(
      ["first.example", "second.example"].map((authority) => ({
        authority,
        claimedAt: now(),
        receivedAt: now(),
      })),
    );
    const { rows } = await pool().query("select evidence from proof_timestamps where size = $1", [
      size,
    ]);
    for (const { evidence } of rows) expect(evidence.toString("hex")).toContain(digest);
  });

  it("are requested once per authority and checkpoint, twice and at once", async () => {
    const { size } = await publishTip();
    const counts = await Promise.all(Array.from({ length: 4 }, () => timestampCheckpoints()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    waitMinutes(60);
    expect(await timestampCheckpoints()).toBe(0);
    expect(first.requests).toHaveLength(1);
    expect(await readTimestamps(size)).toHaveLength(2);
  });

  it("tell when a race card was first seen by a timestamp authority", async () => {
    const card = { creatorId: creator.id, raceDate: addDays(date, 1) };
    const { raceCardId } = await publishRaceCard({ ...card, races: [1, 2] });
    await appendToLog();
    expect(await readRaceCardEntries(raceCardId)).toMatchObject({ entries: 2, firstSeen: null });
    const firstSeen = { authority: "first.example", at: now() };
    await timestampCheckpoints();
    waitMinutes(40);
    await publishTip(addDays(date, 2));
    await timestampCheckpoints();
    expect(await readRaceCardEntries(raceCardId)).toMatchObject({ firstSeen });
    await publishRaceCard({ ...card, races: [3] });
    await appendToLog();
    expect(await readRaceCardEntries(raceCardId)).toMatchObject({ entries: 3, firstSeen: null });
  });

  it("are compared with the first race only when the off of every race is known", async () => {
    const raceDate = addDays(date, 1);
    const races = [1, 2].map((raceNumber) => ({ raceNumber, raceTime: "13:00" }));
    const { raceCardId, venue } = await publishRaceCard({
      creatorId: creator.id,
      venue: "greyville",
      raceDate,
      races,
    });
    const readFirstOff = async () => (await readRaceCardEntries(raceCardId))?.firstOffAt;
    expect(await readFirstOff()).toBeNull();
    await reportOffTimes(venue.id, raceDate, { races: 1 });
    expect(await readFirstOff()).toBeNull();
    await reportOffTimes(venue.id, raceDate, { races: 2, firstOff: "13:30" });
    expect(await readFirstOff()).toEqual(instantAt(raceDate, "13:30"));
  });

  it("are requested once by processes whose clocks run", async () => {
    const { size } = await publishTip();
    // Authorities without a timestamp, because the others have some of the future.
    const authorities = ["third.example", "fourth.example"].map(
      (name) => new FakeTimestampAuthority(name, now),
    );
    for (const authority of authorities) await authority.start();
    useClocks(...authorities);
    freezeClock(null);
    const counts = await Promise.all(Array.from({ length: 4 }, () => timestampCheckpoints()));
    for (const authority of authorities) await authority.stop();
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(await readTimestamps(size)).toHaveLength(2);
  });

  it("wait for 30 minutes after the last one", async () => {
    await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
    await publishTip();
    waitMinutes(29);
    expect(await timestampCheckpoints()).toBe(0);
    waitMinutes(1);
    const { size } = await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
    expect(await readTimestamps(size)).toHaveLength(2);
  });

  it("do not wait when a tip that is not covered has its off within an hour", async () => {
    await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
    waitMinutes(2);
    await publishTip(date);
    // The off becomes known after the tip was published, so the cut-off did not stop it.
    await reportOffTimes(venueId, date, { firstOff: "08:02", minutesApart: 1 });
    expect(await timestampCheckpoints()).toBe(0);
    await reportOffTimes(venueId, date, { firstOff: "08:01", minutesApart: 1 });
    expect(await timestampCheckpoints()).toBe(2);
    // With this one the manifest enters the log, an hour before the first off.
    await publishTip();
    waitMinutes(2);
    expect(await timestampCheckpoints()).toBe(2);
    await publishTip();
    waitMinutes(2);
    expect(await timestampCheckpoints()).toBe(0);
  });

  it("do not wait for the day's manifest", async () => {
    freezeClock(instantAt(date, "10:50"));
    await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
    freezeClock(instantAt(date, "10:55"));
    while ((await appendToLog()) > 0);
    expect(await timestampCheckpoints()).toBe(2);
    waitMinutes(2);
    await publishTip();
    expect(await timestampCheckpoints()).toBe(0);
  });

  it("are requested at most 50 times a day from each authority", async () => {
    await publishTip();
    await timestampCheckpoints();
    await pool().query(
      "update proof_timestamp_requests set requests = 49 where authority = 'first.example'",
    );
    waitMinutes(31);
    await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
    waitMinutes(31);
    await publishTip();
    expect(await timestampCheckpoints()).toBe(1);
    freezeClock(instantAt(addDays(date, 1), "00:00"));
    expect(await timestampCheckpoints()).toBe(1);
  });

  it("are not requested without authorities, nor while the log is stopped", async () => {
    await publishTip();
    useClocks();
    expect(await timestampCheckpoints()).toBe(0);
    useClocks(first);
    await stopLog();
    expect(await timestampCheckpoints()).toBe(0);
    expect(first.requests).toHaveLength(0);
    await confirmLog(null);
    expect(await timestampCheckpoints()).toBe(1);
  });

  it("cannot be changed or deleted", async () => {
    await publishTip();
    await timestampCheckpoints();
    for (const statement of [
      "update proof_timestamps set claimed_at = now()",
      "delete from proof_timestamps",
      "truncate proof_timestamps",
    ])
      await expect(pool().query(statement), statement).rejects.toThrow("append-only");
  });
});

describe("an answer that does not fit", () => {
  const wrong: [string, Behaviour][] = [
    [
      "another digest",
      (response, honest) => sendTimestamp(response, { ...honest, digest: Buffer.alloc(32, 1) }),
    ],
    [
      "another nonce",
      (response, honest) => sendTimestamp(response, { ...honest, nonce: Buffer.alloc(8, 1) }),
    ],
    ["no nonce", (response, honest) => sendTimestamp(response, { ...honest, nonce: null })],
    [
      "a time eleven minutes ahead",
      (response, honest) =>
        sendTimestamp(response, {
          ...honest,
          time: new Date(honest.time.getTime() + 11 * MINUTE_MS),
        }),
    ],
    [
      "a time eleven minutes behind",
      (response, honest) =>
        sendTimestamp(response, {
          ...honest,
          time: new Date(honest.time.getTime() - 11 * MINUTE_MS),
        }),
    ],
    ["a refusal", (response, honest) => sendTimestamp(response, { ...honest, status: 2 })],
    ["an error", (response) => void response.writeHead(500).end("broken")],
    ["a page", (response) => void response.writeHead(200).end("<!doctype html>")],
    ["nothing", (response) => void response.writeHead(200).end()],
    ["a redirect", (response) => void response.writeHead(302, { Location: second.url }).end()],
    ["a huge body", (response) => void response.writeHead(200).end(Buffer.alloc(10_000_000))],
    ["a closed connection", (response) => void response.destroy()],
  ];
  it.each(wrong)("is refused: %s", async (_name, behaviour) => {
    first.behaviour = behaviour;
    const { size } = await publishTip();
    expect(await timestampCheckpoints()).toBe(1);
    expect(await readTimestamps(size)).toMatchObject([{ authority: "second.example" }]);
    first.behaviour = null;
    waitMinutes(31);
    expect(await timestampCheckpoints()).toBe(1);
    expect(await readTimestamps(size)).toHaveLength(2);
  });

  it("and a slow one do not delay the other authority", async () => {
    let isFirstClosed = false;
    first.behaviour = (response) => {
      response.once("close", () => {
        isFirstClosed = true;
      });
      response.writeHead(200).write("0");
    };
    let wasFirstClosed: boolean | null = null;
    second.behaviour = (response, honest) => {
      wasFirstClosed = isFirstClosed;
      sendTimestamp(response, honest);
    };
    const { size } = await publishTip();
    expect(await timestampCheckpoints()).toBe(1);
    expect(wasFirstClosed).toBe(false);
    expect(await readTimestamps(size)).toMatchObject([{ authority: "second.example" }]);
  });

  it("is accepted with a time nine minutes off and with modifications", async () => {
    first.behaviour = (response, honest) =>
      sendTimestamp(response, {
        ...honest,
        status: 1,
        time: new Date(honest.time.getTime() + 9 * MINUTE_MS),
      });
    await publishTip();
    expect(await timestampCheckpoints()).toBe(2);
  });

  it("makes the next requests rarer, up to one in half an hour", async () => {
    first.behaviour = (response) => void response.writeHead(503).end();
    useClocks(first);
    // The failures of earlier tests are over.
    await pool().query("update proof_timestamp_requests set failures = 0, failing_since = null");
    await publishTip();
    const minutes: number[] = [];
    for (let minute = 0; minute <= 150; minute += 1) {
      const before = first.requests.length;
      await timestampCheckpoints();
      if (first.requests.length > before) minutes.push(minute);
      waitMinutes(1);
    }
    expect(minutes).toEqual([0, 2, 6, 14, 30, 60, 90, 120, 150]);
  });
});

describe("the alert about missing timestamps", () => {
  it("is raised after an hour without an answer of any authority, and resolves by itself", async () => {
    await publishTip();
    await timestampCheckpoints();
    expect(await countOpenAlerts()).toBe(0);
    first.behaviour = (response) => void response.destroy();
    second.behaviour = first.behaviour;
    waitMinutes(31);
    await publishTip();
    for (let minute = 0; minute < 59; minute += 1) {
      await timestampCheckpoints();
      waitMinutes(1);
    }
    expect(await countOpenAlerts()).toBe(0);
    for (let minute = 0; minute < 3; minute += 1) {
      await timestampCheckpoints();
      waitMinutes(1);
    }
    expect(await countOpenAlerts()).toBe(1);
    second.behaviour = null;
    waitMinutes(30);
    expect(await timestampCheckpoints()).toBe(1);
    expect(await countOpenAlerts()).toBe(0);
  });

  it("is not raised while one authority answers, nor while nothing waits", async () => {
    first.behaviour = (response) => void response.destroy();
    for (let minute = 0; minute < 130; minute += 31) {
      await publishTip();
      await timestampCheckpoints();
      waitMinutes(31);
    }
    expect(await countOpenAlerts()).toBe(0);
    useClocks(first);
    expect(await timestampCheckpoints()).toBe(0);
    expect(await countOpenAlerts()).toBe(0);
  });

  it("is resolved when the authorities are removed from the configuration", async () => {
    first.behaviour = (response) => void response.destroy();
    useClocks(first);
    await publishTip();
    for (let minute = 0; minute < 70; minute += 1) {
      await timestampCheckpoints();
      waitMinutes(1);
    }
    expect(await countOpenAlerts()).toBe(1);
    useClocks();
    await timestampCheckpoints();
    expect(await countOpenAlerts()).toBe(0);
  });
});

it("the invariants hold", expectInvariantsToHold);
