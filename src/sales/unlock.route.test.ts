import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { afterEach, expect, it } from "vitest";
import { dateAt, instantAt } from "#domain/calendar.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { unlockRefusal } from "#site/openapi/api-shapes.ts";
import { createSender } from "#test/app.ts";
import { makeUser, publishRaceCard, reportRaceDay } from "#test/factories.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { noResponseMessage, openedMessage } from "./unlock-messages.ts";

// The messages of the JSON API and the pages after an unlock or a refusal.

afterEach(() => freezeClock(null));

it("returns 404 for an unknown and a malformed id", async () => {
  const send = await createSender(await makeUser({ coins: 4 }));
  for (const id of [randomUUID(), "nothing"]) {
    const response = await send(`/api/race-cards/${id}/unlock`, { method: "POST" });
    expect(response.status).toBe(404);
    expect((await response.json()).error).toBe("Invalid tip selected. Please try again.");
  }
});

it("refuses keys and counts that cannot be sent, in the same way with and without JavaScript", async () => {
  const { raceCardId } = await publishRaceCard({ races: [1] });
  const user = await makeUser({ coins: 7 });
  const send = await createSender(user);
  for (const { key, count } of [
    { key: "k".repeat(201), count: 0 },
    { key: "once", count: -1 },
    { key: "once", count: 1.5 },
    { key: "once", count: 13 },
  ]) {
    const inApi = await send(`/api/race-cards/${raceCardId}/unlock`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify({ acknowledgedRacesRun: count }),
    });
    const inForm = await send(`/race-cards/${raceCardId}`, {
      method: "POST",
      body: new URLSearchParams({ idempotencyKey: key, acknowledgedRacesRun: String(count) }),
    });
    expect([key, count, inApi.status, inForm.status]).toEqual([key, count, 400, 400]);
  }
  expect((await readWallet(user.id)).balanceCoins).toBe(7);
});

it("shows the balance after opening a race card with one tip, also without JavaScript", async () => {
  const { raceCardId } = await publishRaceCard({ races: [1] });
  const send = await createSender(await makeUser({ coins: 7 }));
  const response = await send(`/race-cards/${raceCardId}`, {
    method: "POST",
    body: new URLSearchParams({ idempotencyKey: randomUUID(), acknowledgedRacesRun: "0" }),
  });
  expect(await response.text()).toContain("Tip unlocked! 3 coins remaining");
  expect(openedMessage({ raceCount: 1, balanceCoins: 1 }).title).toBe(
    "Tip unlocked! 1 coin remaining",
  );
});

it("counts the races that it sells, without the scratched one, also when it is asked again", async () => {
  const card = await publishRaceCard({ races: [1, 2] });
  await reportRaceDay(card.venue.id, card.raceDate, [
    {
      raceNumber: 1,
      time: "13:00",
      runners: [
        {
          number: 2,
          horseName: "Secret Horse 1",
          jockey: null,
          trainer: null,
          draw: null,
          isScratched: true,
        },
      ],
    },
    { raceNumber: 2, time: "14:00" },
  ]);
  const send = await createSender(await makeUser({ coins: 7 }));
  const unlockInApi = async (key: string) => {
    const response = await send(`/api/race-cards/${card.raceCardId}/unlock`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    });
    const { tips, ...body } = await response.json();
    return { ...body, tips: tips.length };
  };
  // The scratched selection can be read too.
  const opened = { coins: 3, raceCount: 1, tips: 2 };
  expect(await unlockInApi("first")).toEqual({ ...opened, alreadyOpen: false });
  expect(await unlockInApi("first")).toEqual({ ...opened, alreadyOpen: false });
  expect(await unlockInApi("second")).toEqual({ ...opened, alreadyOpen: true });
  const response = await send(`/race-cards/${card.raceCardId}`, {
    method: "POST",
    body: new URLSearchParams({ idempotencyKey: "third", acknowledgedRacesRun: "0" }),
  });
  expect(await response.text()).toContain("Tip unlocked! 3 coins remaining");
});

it("says how many races have been run, in the field that the API description names", async () => {
  const raceDate = dateAt(now());
  const { raceCardId } = await publishRaceCard({
    raceDate,
    races: [
      { raceNumber: 1, raceTime: "13:00" },
      { raceNumber: 2, raceTime: "15:00" },
    ],
  });
  freezeClock(instantAt(raceDate, "13:00"));
  const send = await createSender(await makeUser({ coins: 7 }));
  const response = await send(`/api/race-cards/${raceCardId}/unlock`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ acknowledgedRacesRun: 0 }),
  });
  expect(response.status).toBe(409);
  expect(v.parse(unlockRefusal, await response.json())).toMatchObject({
    refusal: "races-run",
    racesRun: 1,
  });
});

it("shows a message for one race and for several when no response arrives", () => {
  expect(noResponseMessage(1).title).toMatch(/^Failed to unlock tip: .+/);
  expect(noResponseMessage(8).title).toBe("Failed to unlock daily racing. Please try again.");
});
