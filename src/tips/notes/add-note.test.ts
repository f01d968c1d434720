import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { createSender, sendAsGuest } from "#test/app.ts";
import {
  findTestVenue,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
  reportOffTimes,
} from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { addNote, MAX_NOTES, readNotes } from "./add-note.server.ts";

const RACE_DATE = "2026-11-21";

beforeEach(() => freezeClock(instantAt(RACE_DATE, "08:00")));
afterEach(() => freezeClock(null));

/** Publishes a race card whose last race is off at 13:35. */
async function publish() {
  const venue = await findTestVenue();
  await reportOffTimes(venue.id, RACE_DATE, { firstOff: "13:00", races: 2 });
  const creator = await makeTipster();
  const { raceCardId } = await publishRaceCard({
    creatorId: creator.id,
    raceDate: RACE_DATE,
    races: [1, 2],
  });
  return { creator, raceCardId };
}

const createNote = (body = "The going has changed: see race 2.") => ({
  idempotencyKey: randomUUID(),
  body,
});

describe("a note to buyers", () => {
  it("is added with its time, after the earlier ones", async () => {
    const { creator, raceCardId } = await publish();
    expect(await addNote(creator.id, raceCardId, createNote("First"))).toMatchObject({ ok: true });
    freezeClock(instantAt(RACE_DATE, "12:00"));
    expect(await addNote(creator.id, raceCardId, createNote("Second"))).toMatchObject({ ok: true });
    expect(await readNotes([raceCardId])).toMatchObject([
      { body: "First", createdAt: instantAt(RACE_DATE, "08:00") },
      { body: "Second", createdAt: instantAt(RACE_DATE, "12:00") },
    ]);
  });

  it("is refused for another creator's and an unknown race card", async () => {
    const { raceCardId } = await publish();
    const other = await makeTipster();
    for (const id of [raceCardId, randomUUID(), "nonsense"])
      expect(await addNote(other.id, id, createNote())).toEqual({
        ok: false,
        refusal: "no-such-race-card",
      });
    expect(await readNotes([raceCardId])).toEqual([]);
  });

  it("is refused from the last off on", async () => {
    const { creator, raceCardId } = await publish();
    freezeClock(new Date(instantAt(RACE_DATE, "13:35").getTime() - 1));
    expect(await addNote(creator.id, raceCardId, createNote())).toMatchObject({ ok: true });
    freezeClock(instantAt(RACE_DATE, "13:35"));
    expect(await addNote(creator.id, raceCardId, createNote())).toEqual({
      ok: false,
      refusal: "races-run",
    });
  });

  it("is refused while its creator is suspended", async () => {
    const { creator, raceCardId } = await publish();
    await suspendCreator((await makeAdmin()).id, creator.id);
    expect(await addNote(creator.id, raceCardId, createNote())).toEqual({
      ok: false,
      refusal: "suspended",
    });
  });

  it("is added once when the request is repeated, also after the last off", async () => {
    const { creator, raceCardId } = await publish();
    const note = createNote();
    const first = await addNote(creator.id, raceCardId, note);
    expect(await addNote(creator.id, raceCardId, note)).toEqual(first);
    freezeClock(instantAt(RACE_DATE, "14:00"));
    expect(await addNote(creator.id, raceCardId, note)).toEqual(first);
    expect(await readNotes([raceCardId])).toHaveLength(1);
  });

  it("is refused when the text was changed after the request, twice and concurrently", async () => {
    const { creator, raceCardId } = await publish();
    const note = createNote("First");
    const first = await addNote(creator.id, raceCardId, note);
    const changed = { ...note, body: "First, corrected" };
    const results = await Promise.all([1, 2].map(() => addNote(creator.id, raceCardId, changed)));
    results.push(await addNote(creator.id, raceCardId, changed));
    const refusal = { ok: false, refusal: "text-changed" };
    expect(results).toEqual([refusal, refusal, refusal]);
    expect(await addNote(creator.id, raceCardId, note)).toEqual(first);
    expect(await readNotes([raceCardId])).toMatchObject([{ body: "First" }]);
  });

  it("is added once for concurrent repeats, and never beyond the limit", async () => {
    const { creator, raceCardId } = await publish();
    const note = createNote();
    await Promise.all([1, 2, 3, 4].map(() => addNote(creator.id, raceCardId, note)));
    expect(await readNotes([raceCardId])).toHaveLength(1);
    const results = await Promise.all(
      Array.from({ length: MAX_NOTES + 2 }, () => addNote(creator.id, raceCardId, createNote())),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(MAX_NOTES - 1);
    expect(results.find((result) => !result.ok)).toEqual({
      ok: false,
      refusal: "too-many-notes",
    });
    expect(await readNotes([raceCardId])).toHaveLength(MAX_NOTES);
  });

  it("is on the race card's page and in My day for its buyers, and for its creator", async () => {
    const { creator, raceCardId } = await publish();
    const body = `Kept for buyers ${randomUUID()}`;
    await addNote(creator.id, raceCardId, createNote(body));
    const buyer = await makeUser({ coins: 4 });
    const read = async (send: Awaited<ReturnType<typeof createSender>>) =>
      await (await send(`/race-cards/${raceCardId}`)).text();
    expect(await read(await createSender(buyer))).not.toContain(body);
    await unlockRaceCardAs(buyer.id, { raceCardId });
    expect(await read(await createSender(buyer))).toContain(body);
    expect(await read(await createSender(creator))).toContain(body);
    const readDay = async (user: { id: string }) =>
      await (await (await createSender(user))("/my-day")).text();
    expect(await readDay(buyer)).toContain(body);
    expect(await readDay(await makeUser())).not.toContain(body);
    freezeClock(instantAt("2026-11-23", "08:00"));
    expect(await read(await createSender(buyer))).toContain(body);
    for (const send of [
      sendAsGuest,
      await createSender(await makeUser({ coins: 4 })),
      await createSender(await makeTipster()),
    ])
      expect(await read(send)).not.toContain(body);
  });
});

describe("the page of a note", () => {
  const post = async (user: { id: string }, raceCardId: string, fields: Record<string, string>) => {
    const send = await createSender(user);
    const response = await send(`/tipster-dashboard/race-cards/${raceCardId}/note`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await readVisibleText(response) };
  };

  it("adds a note and shows it", async () => {
    const { creator, raceCardId } = await publish();
    const response = await post(creator, raceCardId, createNote("Watch the draw.\r\nIt matters."));
    expect(response.status).toBe(200);
    expect(response.text).toContain("Note added.");
    expect(await readNotes([raceCardId])).toMatchObject([{ body: "Watch the draw.\nIt matters." }]);
  });

  it("refuses an empty and a long note, and keeps the text", async () => {
    const { creator, raceCardId } = await publish();
    const empty = await post(creator, raceCardId, createNote("  "));
    expect(empty).toMatchObject({ status: 422 });
    expect(empty.text).toContain("Please write a note");
    const long = await post(creator, raceCardId, createNote("x".repeat(501)));
    expect(long).toMatchObject({ status: 422 });
    expect(long.text).toContain("Note must be at most 500 characters long");
    expect(long.text).toContain("x".repeat(501));
    expect(await post(creator, raceCardId, createNote("x".repeat(500)))).toMatchObject({
      status: 200,
    });
  });

  it("says that the first text was added when the text was changed, and offers to add this one too", async () => {
    const { creator, raceCardId } = await publish();
    const note = createNote("As first sent");
    await addNote(creator.id, raceCardId, note);
    const send = await createSender(creator);
    const response = await send(`/tipster-dashboard/race-cards/${raceCardId}/note`, {
      method: "POST",
      body: new URLSearchParams({ ...note, body: "As corrected" }),
    });
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(html).toContain("Your note was added before you changed it.");
    for (const text of ["As first sent", "As corrected"]) expect(html).toContain(text);
    const key = /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(key).not.toBe(note.idempotencyKey);
    const fields = { idempotencyKey: key, body: "As corrected" };
    expect(await post(creator, raceCardId, fields)).toMatchObject({ status: 200 });
    expect(await readNotes([raceCardId])).toHaveLength(2);
  });

  it("is not found for another creator, and closes at the last off", async () => {
    const { creator, raceCardId } = await publish();
    expect(await post(await makeTipster(), raceCardId, createNote())).toMatchObject({
      status: 404,
    });
    freezeClock(instantAt(RACE_DATE, "13:35"));
    const response = await post(creator, raceCardId, createNote());
    expect(response).toMatchObject({ status: 409 });
    expect(response.text).toContain("The last race is off.");
  });
});
