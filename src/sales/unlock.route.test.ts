import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { as } from "#test/app.ts";
import { makeUser, publishRaceCard } from "#test/cast.ts";
import { noResponseMessage, openedMessage } from "./unlock-messages.ts";

// What the JSON API and the pages say when a card opens, and when it does not.

it("says that there is no such card, for an id that names none and for what is no id", async () => {
  const ask = await as(await makeUser({ coins: 4 }));
  for (const id of [randomUUID(), "nothing"]) {
    const answer = await ask(`/api/race-cards/${id}/unlock`, { method: "POST" });
    expect(answer.status).toBe(404);
    expect((await answer.json()).error).toBe("Invalid tip selected. Please try again.");
  }
});

it("says what is left when a card of one tip has opened, without scripts too", async () => {
  const { raceCardId } = await publishRaceCard({ races: [1] });
  const ask = await as(await makeUser({ coins: 7 }));
  const answer = await ask(`/race-cards/${raceCardId}`, {
    method: "POST",
    body: new URLSearchParams({ idempotencyKey: randomUUID(), acknowledgedRacesRun: "0" }),
  });
  expect(await answer.text()).toContain("Tip unlocked! 3 coins remaining");
  expect(openedMessage({ raceCount: 1, balanceCoins: 1 }).title).toBe(
    "Tip unlocked! 1 coin remaining",
  );
});

it("says of a tip and of a day's racing that no answer came", () => {
  expect(noResponseMessage(1).title).toMatch(/^Failed to unlock tip: .+/);
  expect(noResponseMessage(8).title).toBe("Failed to unlock daily racing. Please try again.");
});
