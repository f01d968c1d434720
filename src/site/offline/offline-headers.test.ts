import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { signOutEverywhere } from "#identity/identity.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { COPY_HEADER, NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { as, asGuest, type SendRequest } from "#test/app.ts";
import { makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";

let buyer: Person;
let creator: Person;
let path: string;

beforeEach(async () => {
  freezeClock(instantAt("2026-11-21", "08:00"));
  creator = await makeTipster();
  buyer = await makeUser({ coins: 8 });
  const { raceCardId } = await publishRaceCard({
    creatorId: creator.id,
    raceDate: "2026-11-22",
    races: [1, 2],
  });
  await unlockRaceCardAs(buyer.id, { raceCardId });
  path = `/race-cards/${raceCardId}`;
});
afterEach(() => freezeClock(null));

const isReadableOffline = async (ask: SendRequest, address: string) =>
  (await ask(address)).headers.has(COPY_HEADER);
const ownerOf = async (ask: SendRequest, address = "/") =>
  (await ask(address)).headers.get(OWNER_HEADER);

describe("the header for offline copies", () => {
  it("is sent with opened race cards and their list, as HTML and as loader data", async () => {
    const asBuyer = await as(buyer);
    for (const address of [path, `${path}.data`, "/my-cards", "/my-cards.data"])
      expect(await isReadableOffline(asBuyer, address), address).toBe(true);
  });

  it("is not sent with race cards the viewer has not opened or with other pages", async () => {
    const strangers = [asGuest, await as(await makeUser({ coins: 50 })), await as(creator)];
    for (const ask of strangers)
      for (const address of [path, `${path}.data`, "/", "/help"])
        expect(await isReadableOffline(ask, address), address).toBe(false);
    expect(await isReadableOffline(asGuest, "/my-cards")).toBe(false);
    const asBuyer = await as(buyer);
    for (const address of ["/", "/profile", "/buy-coins", "/help", "/success"])
      expect(await isReadableOffline(asBuyer, address), address).toBe(false);
    freezeClock(instantAt("2026-11-24", "08:00"));
    expect(await isReadableOffline(strangers[1] ?? asGuest, path)).toBe(false);
  });
});

describe("the owner header", () => {
  it("has one value per session on every page", async () => {
    const [first, second] = [await as(buyer), await as(buyer)];
    const mark = await ownerOf(first);
    expect(mark).toMatch(/^[\w-]{22}$/);
    for (const address of ["/help", "/my-cards", "/my-cards.data", path, "/nowhere"])
      expect(await ownerOf(first, address), address).toBe(mark);
    expect(await ownerOf(second)).not.toBe(mark);
    expect(await ownerOf(await as(creator))).not.toBe(mark);
  });

  it("is `none` for guests and after a session ends", async () => {
    expect(await ownerOf(asGuest)).toBe(NO_OWNER);
    expect(await ownerOf(asGuest, "/help.data")).toBe(NO_OWNER);
    const asBuyer = await as(buyer);
    await signOutEverywhere(buyer.id, new Request("http://localhost:3000/"));
    for (const address of ["/", "/my-cards", "/my-cards.data"])
      expect(await ownerOf(asBuyer, address), address).toBe(NO_OWNER);
  });
});
