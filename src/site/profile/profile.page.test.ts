import { expect, it } from "vitest";
import { startSession } from "#identity/identity.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import { makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { readProfile } from "./read-profile.server.ts";

it("shows totals of opened race cards and the purpose of each statement line", async () => {
  const user = await makeUser({ coins: 20 });
  const tipster = await makeTipster({ name: "Rail Reader" });
  for (const [venue, races] of [
    ["vaal", [1, 2, 3]],
    ["kenilworth", [1]],
  ] as const) {
    const { raceCardId } = await publishRaceCard({
      creatorId: tipster.id,
      venue,
      races: [...races],
    });
    await unlockRaceCardAs(user.id, { raceCardId });
  }
  const profile = await readProfile({ ...user, emailVerified: true, roles: ["user"] }, null);
  expect(profile.wallet.balanceCoins).toBe(12);
  expect(profile.opened).toEqual({ raceCards: 2, tips: 4, spentCoins: 8 });
  expect(profile.unlocked.map(({ venueName, races }) => [venueName, races])).toEqual([
    ["Kenilworth", 1],
    ["Vaal", 3],
  ]);
  expect(
    profile.statement.lines.map(({ kind, amountCoins, balanceCoins, raceCard }) => [
      kind,
      amountCoins,
      balanceCoins,
      raceCard?.name,
    ]),
  ).toEqual([
    ["unlock", -4, 12, "Kenilworth, Rail Reader"],
    ["unlock", -4, 16, "Vaal, Rail Reader"],
    ["grant", 20, 20, undefined],
  ]);
});

it("counts the collapsed race cards in the singular or plural", async () => {
  const user = await makeUser({ coins: 24 });
  const browser = new Browser();
  browser.applyCookies(await startSession(user.id));
  const readPageAfterUnlocks = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const { raceCardId } = await publishRaceCard();
      expect((await unlockRaceCardAs(user.id, { raceCardId })).ok).toBe(true);
    }
    return await readVisibleText(await browser.get("/profile"));
  };
  expect(await readPageAfterUnlocks(4)).not.toMatch(/\d more card/);
  expect(await readPageAfterUnlocks(1)).toMatch(/\b1 more card\b(?!s)/);
  expect(await readPageAfterUnlocks(1)).toMatch(/\b2 more cards\b/);
});

it("shows private pages to their owner only", async () => {
  const user = await makeUser({ name: "Quite Private Person" });
  const browser = new Browser();
  browser.applyCookies(await startSession(user.id));
  for (const path of ["/profile", "/profile/name", "/profile/email", "/profile/data"]) {
    const ownerResponse = await browser.get(path);
    expect(ownerResponse.status, path).toBe(200);
    expect(ownerResponse.headers.get("Cache-Control"), path).toBe("no-store");
    const guestResponse = await new Browser().get(path);
    expect(guestResponse.status, path).toBe(302);
    expect(guestResponse.headers.get("Location"), path).toBe(
      `/login?return=${encodeURIComponent(path)}`,
    );
  }
  expect((await new Browser().get("/my-cards")).status).toBe(302);
});
