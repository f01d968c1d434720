import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signOutEverywhere } from "#accounts/sign-in/sign-out.server.ts";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { COPY_HEADER, NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
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

const isReadableOffline = async (sendRequest: SendRequest, url: string) =>
  (await sendRequest(url)).headers.has(COPY_HEADER);
const readOwner = async (sendRequest: SendRequest, url = "/") =>
  (await sendRequest(url)).headers.get(OWNER_HEADER);

describe("the header for offline copies", () => {
  it("is sent with opened race cards and their list, as HTML and as loader data", async () => {
    const asBuyer = await createSender(buyer);
    for (const url of [path, `${path}.data`, "/my-cards", "/my-cards.data"])
      expect(await isReadableOffline(asBuyer, url), url).toBe(true);
  });

  it("is not sent with race cards the viewer has not opened or with other pages", async () => {
    const otherViewers = [
      sendAsGuest,
      await createSender(await makeUser({ coins: 50 })),
      await createSender(creator),
    ];
    for (const sendRequest of otherViewers)
      for (const url of [path, `${path}.data`, "/", "/help"])
        expect(await isReadableOffline(sendRequest, url), url).toBe(false);
    expect(await isReadableOffline(sendAsGuest, "/my-cards")).toBe(false);
    const asBuyer = await createSender(buyer);
    for (const url of ["/", "/profile", "/buy-coins", "/help", "/success"])
      expect(await isReadableOffline(asBuyer, url), url).toBe(false);
    freezeClock(instantAt("2026-11-24", "08:00"));
    expect(await isReadableOffline(otherViewers[1] ?? sendAsGuest, path)).toBe(false);
  });
});

describe("the owner header", () => {
  it("has one value per session on every page", async () => {
    const [first, second] = [await createSender(buyer), await createSender(buyer)];
    const owner = await readOwner(first);
    expect(owner).toMatch(/^[\w-]{22}$/);
    for (const url of ["/help", "/my-cards", "/my-cards.data", path, "/nowhere"])
      expect(await readOwner(first, url), url).toBe(owner);
    expect(await readOwner(second)).not.toBe(owner);
    expect(await readOwner(await createSender(creator))).not.toBe(owner);
  });

  it("is `none` for guests and after a session ends", async () => {
    expect(await readOwner(sendAsGuest)).toBe(NO_OWNER);
    expect(await readOwner(sendAsGuest, "/help.data")).toBe(NO_OWNER);
    const asBuyer = await createSender(buyer);
    await signOutEverywhere(buyer.id, new Request("http://localhost:3000/"));
    for (const url of ["/", "/my-cards", "/my-cards.data"])
      expect(await readOwner(asBuyer, url), url).toBe(NO_OWNER);
  });
});
