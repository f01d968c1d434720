import { afterEach, expect, it } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { returnCoins } from "#payments/payments.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { enterTipResultAsTwo } from "#test/admin-results.ts";
import { createSender } from "#test/app.ts";
import { Browser } from "#test/browser.ts";
import {
  enterResults,
  grantTestCoins,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
} from "#test/factories.ts";
import { readVisibleText } from "#test/page-text.ts";
import { markResult } from "#tips/mark-results.server.ts";
import { readStatement } from "#wallet/wallet.server.ts";
import { readProfile } from "./read-profile.server.ts";

afterEach(() => freezeClock(null));

it("shows totals of opened race cards and the kind and race card of each statement line", async () => {
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
  expect(profile.openedTotals).toEqual({ raceCards: 2, tips: 4, spentCoins: 8 });
  expect(profile.openedRaceCards.map(({ venueName, races }) => [venueName, races])).toEqual([
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

it("shows the race card for which coins were returned", async () => {
  const user = await makeUser({ coins: 4 });
  const tipster = await makeTipster({ name: "Void Reader" });
  const { raceCardId } = await publishRaceCard({ creatorId: tipster.id, races: [1, 2] });
  const opened = await unlockRaceCardAs(user.id, { raceCardId });
  const admin = await makeAdmin();
  const tipId = opened.ok ? (opened.tips[0]?.id ?? "") : "";
  await enterTipResultAsTwo(admin.id, { tipId, result: "void", reason: "Non-runner" });
  await drainQueue([returnCoins]);
  const { statement } = await readProfile({ ...user, emailVerified: true, roles: ["user"] }, null);
  expect(statement.lines[0]).toMatchObject({
    kind: "reversal",
    amountCoins: 2,
    balanceCoins: 2,
    raceCard: { raceCardId, name: "Kenilworth, Void Reader" },
  });
  const browser = new Browser();
  browser.applyCookies(await startSession(user.id));
  const html = await (await browser.get("/profile")).text();
  expect(html).toContain("Coins returned");
});

it("counts official wins of an opened race card, but not the tipster's claims", async () => {
  const raceDate = "2031-03-08";
  freezeClock(instantAt(raceDate, "08:00"));
  const user = await makeUser({ coins: 4 });
  const raceCard = await publishRaceCard({ raceDate, races: [1, 2] });
  const opened = await unlockRaceCardAs(user.id, { raceCardId: raceCard.raceCardId });
  const [first, second] = opened.ok ? opened.tips.map((tip) => tip.id) : [];
  if (!first || !second) throw new Error("not opened");
  freezeClock(instantAt(raceDate, "19:00"));
  await markResult(raceCard.creatorId, { tipId: first, result: "won" });
  const browser = new Browser();
  browser.applyCookies(await startSession(user.id));
  const readPage = async () => await readVisibleText(await browser.get("/profile"));
  expect(await readPage()).not.toMatch(/of \d won/);
  await enterResults([{ tipId: second, result: "won" }]);
  expect(await readPage()).toContain("1 of 1 won");
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

it("streams all personal data, page by page", async () => {
  const user = await makeUser({ name: "Long Reader", coins: 4 });
  const { raceCardId } = await publishRaceCard();
  expect((await unlockRaceCardAs(user.id, { raceCardId })).ok).toBe(true);
  for (let count = 0; count < 400; count += 1) await grantTestCoins(user.id, 1);
  const send = await createSender(user);
  const headers = { "Accept-Encoding": "br, gzip" };
  const response = await send("/profile/data", { headers });
  const [first] = await readChunks(response);
  expect(first).toContain('"name": "Long Reader"');
  expect(first).not.toContain("statement");
  const text = await (await send("/profile/data", { headers })).text();
  const data = JSON.parse(text);
  expect(Object.keys(data)).toEqual([
    "account",
    "emails",
    "wallet",
    "purchases",
    "openedRaceCards",
    "statement",
  ]);
  expect(data.purchases).toEqual([]);
  expect(data.openedRaceCards).toHaveLength(1);
  const { lines } = await readStatement(user.id, { limit: 1_000 });
  expect(data.statement).toEqual(JSON.parse(JSON.stringify(lines)));
  expect(lines).toHaveLength(402);
});

async function readChunks(response: Response): Promise<string[]> {
  const decoder = new TextDecoder();
  const chunks: string[] = [];
  for await (const chunk of response.body ?? []) chunks.push(decoder.decode(chunk));
  return chunks;
}

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
