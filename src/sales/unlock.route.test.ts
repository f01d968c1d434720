import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { createSender } from "#test/app.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";
import { readWallet } from "#wallet/wallet.server.ts";
import { noResponseMessage, openedMessage } from "./unlock-messages.ts";

// The messages of the JSON API and the pages after an unlock or a refusal.

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

it("shows a message for one race and for several when no response arrives", () => {
  expect(noResponseMessage(1).title).toMatch(/^Failed to unlock tip: .+/);
  expect(noResponseMessage(8).title).toBe("Failed to unlock daily racing. Please try again.");
});
