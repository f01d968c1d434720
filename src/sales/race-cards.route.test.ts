import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { suspendCreator } from "#creators/suspension.server.ts";
import { addDays, instantAt } from "#domain/calendar.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { makeAdmin, makeUser, publishRaceCard } from "#test/factories.ts";
import { raceCardsForGuests } from "./race-cards.route.ts";

const PATH = "/api/race-cards";

type Listed = { id: string; opened: boolean; tips: { horseName?: string; analysis?: string }[] };

async function list(sendRequest: SendRequest, path = PATH): Promise<Listed[]> {
  const response = await sendRequest(path);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  return (await response.json()).raceCards;
}
const openedIn = (raceCards: Listed[]) =>
  raceCards.filter(({ opened }) => opened).map(({ id }) => id);
const textOf = (value: unknown) => JSON.stringify(value);

async function makeBuyerOf(raceCardId: string): Promise<SendRequest> {
  const sendRequest = await createSender(await makeUser({ coins: 20 }));
  const opened = await sendRequest(`${PATH}/${raceCardId}/unlock`, { method: "POST" });
  expect(opened.status).toBe(200);
  return sendRequest;
}

beforeEach(() => publishUpdate("race-cards"));
afterEach(() => freezeClock(null));

describe("the list of race cards on sale", () => {
  it("shows every user their own opened tips and no one else's", async () => {
    const first = await publishRaceCard({
      races: [{ raceNumber: 1, horseName: "First Canary", analysis: "Reason of the first." }],
    });
    const second = await publishRaceCard({
      races: [{ raceNumber: 1, horseName: "Second Canary", analysis: "Reason of the second." }],
    });
    const [firstBuyer, secondBuyer] = [
      await makeBuyerOf(first.raceCardId),
      await makeBuyerOf(second.raceCardId),
    ];
    const otherUser = await createSender(await makeUser());
    const check = async () => {
      const [firstBuyerList, guestList, secondBuyerList, otherUserList] = await Promise.all([
        list(firstBuyer),
        list(sendAsGuest),
        list(secondBuyer),
        list(otherUser),
      ]);
      expect(openedIn(firstBuyerList)).toEqual([first.raceCardId]);
      expect(openedIn(secondBuyerList)).toEqual([second.raceCardId]);
      expect(textOf(firstBuyerList)).toMatch(/First Canary.*Reason of the first/);
      expect(textOf(firstBuyerList)).not.toMatch(/Second Canary|Reason of the second/);
      expect(textOf(secondBuyerList)).toMatch(/Second Canary.*Reason of the second/);
      expect(textOf(secondBuyerList)).not.toMatch(/First Canary|Reason of the first/);
      for (const raceCards of [guestList, otherUserList]) {
        expect(raceCards.map(({ id }) => id)).toContain(first.raceCardId);
        expect(openedIn(raceCards)).toEqual([]);
        expect(textOf(raceCards)).not.toMatch(/Canary|Reason of/);
      }
    };
    for (let turn = 0; turn < 3; turn += 1) await check();
    expect(Buffer.from(raceCardsForGuests.getCached()?.body ?? "").toString()).not.toMatch(
      /Canary|Reason of/,
    );
    await publishUpdate("race-cards");
    await check();
  });

  it("drops the race cards of a suspended creator at once", async () => {
    const { raceCardId, creatorId } = await publishRaceCard();
    const user = await createSender(await makeUser());
    const ids = async (sendRequest: SendRequest) => (await list(sendRequest)).map(({ id }) => id);
    expect(await ids(sendAsGuest)).toContain(raceCardId);
    expect(await ids(user)).toContain(raceCardId);
    await suspendCreator((await makeAdmin()).id, creatorId);
    expect(raceCardsForGuests.getCached()).toBeNull();
    expect(await ids(sendAsGuest)).not.toContain(raceCardId);
    expect(await ids(user)).not.toContain(raceCardId);
  });

  it("shows a new race card at once", async () => {
    await list(sendAsGuest);
    const { raceCardId } = await publishRaceCard();
    expect((await list(sendAsGuest)).map(({ id }) => id)).toContain(raceCardId);
  });

  it("is the same for unknown parameters, which evict nothing", async () => {
    // The response is cached for five seconds.
    freezeClock(now());
    const expected = await list(sendAsGuest);
    const cachedResponse = raceCardsForGuests.getCached();
    for (let count = 0; count < 50; count += 1)
      expect(await list(sendAsGuest, `${PATH}?unknown=${count}`)).toEqual(expected);
    expect(raceCardsForGuests.getCached()).toBe(cachedResponse);
  });

  it("reads the database for a venue, a date and a cursor", async () => {
    const { raceCardId, raceDate } = await publishRaceCard({ venue: "greyville" });
    const ids = async (query: string) =>
      (await list(sendAsGuest, `${PATH}?${query}`)).map(({ id }) => id);
    await list(sendAsGuest);
    expect(await ids("venue=greyville")).toEqual([raceCardId]);
    expect(await ids(`date=${raceDate}`)).toContain(raceCardId);
    expect((await sendAsGuest(`${PATH}?cursor=made-up`)).status).toBe(400);
  });

  it("lists each race card of a past date once, with all of its tips, across pages", async () => {
    const raceDate = "2027-04-01";
    freezeClock(instantAt(raceDate, "05:00"));
    const races = Array.from({ length: MAX_RACES }, (_, index) => index + 1);
    const published: string[] = [];
    for (let count = 0; count < 8; count += 1)
      published.push((await publishRaceCard({ raceDate, races })).raceCardId);
    freezeClock(instantAt(addDays(raceDate, 1), "08:00"));
    const listed: Listed[] = [];
    let next: string | null = null;
    let pages = 0;
    do {
      const query: string = next ? `&cursor=${encodeURIComponent(next)}` : "";
      const response = await sendAsGuest(`${PATH}?date=${raceDate}${query}`);
      const page: { raceCards: Listed[]; next: string | null } = await response.json();
      listed.push(...page.raceCards);
      next = page.next;
      pages += 1;
    } while (next);
    expect(pages).toBe(2);
    expect(listed.map(({ id }) => id).sort()).toEqual(published.sort());
    for (const { tips } of listed) expect(tips).toHaveLength(MAX_RACES);
  });
});
