import { createHash } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { instantAt } from "#domain/calendar.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { appendToLog, startLog } from "#proof/proof.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { makeUser, publishRaceCard } from "#test/factories.ts";

const RACE_DATE = "2027-04-21";
const UNKNOWN_ID = "0b1f7d2e-94a1-4c35-8f5d-3f6f6f1d5c11";

type Proof = {
  tipsToCome: number;
  tips: {
    race: number;
    index: number;
    entry: string;
    selection: { text: string; salt: string };
    reasons: { text: string; salt: string };
  }[];
};

function hashOf(domain: string, { text, salt }: { text: string; salt: string }): string {
  return createHash("sha256")
    .update(`furlong.proof/v1 ${domain}\n`)
    .update(Buffer.from(salt, "base64"))
    .update(text)
    .digest("base64");
}

beforeAll(async () => {
  freezeClock(instantAt(RACE_DATE, "07:00"));
  await startLog();
});
beforeEach(() => freezeClock(instantAt(RACE_DATE, "08:00")));
afterEach(() => freezeClock(null));

/** Publishes a race card with races at 13:00, 13:35 and without an off, and opens it for a buyer. */
async function openCard() {
  const { raceCardId } = await publishRaceCard({
    raceDate: RACE_DATE,
    races: [
      { raceNumber: 1, horseName: "First Canary", analysis: "Drawn well.", raceTime: "13:00" },
      { raceNumber: 2, horseName: "Second Canary", analysis: "Stays on.", raceTime: "13:35" },
      { raceNumber: 3, horseName: "Third Canary", analysis: "Fit again.", raceTime: null },
    ],
  });
  const buyer = await createSender(await makeUser({ coins: 4 }));
  const opened = await buyer(`/api/race-cards/${raceCardId}/unlock`, { method: "POST" });
  expect(opened.status).toBe(200);
  await appendToLog();
  const path = `/race-cards/${raceCardId}/proof.json`;
  return { path, buyer };
}

async function readProof(sendRequest: SendRequest, path: string): Promise<Proof> {
  const response = await sendRequest(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(response.headers.get("Content-Disposition")).toBe(
    `attachment; filename="furlong-proof-kenilworth-${RACE_DATE}.json"`,
  );
  return await response.json();
}

describe("the proof of an opened race card", () => {
  it("fits the commitments of the tips whose race has started", async () => {
    const { path, buyer } = await openCard();
    freezeClock(instantAt(RACE_DATE, "13:01"));
    const proof = await readProof(buyer, path);
    expect(proof.tipsToCome).toBe(2);
    expect(proof.tips.map(({ race }) => race)).toEqual([1]);
    expect(JSON.stringify(proof)).not.toMatch(/Second Canary|Third Canary|Stays on|Fit again/);
    for (const { entry, selection, reasons } of proof.tips) {
      expect(JSON.parse(selection.text)).toMatchObject({ horse: "First Canary" });
      expect(reasons.text).toBe("Drawn well.");
      expect(JSON.parse(entry)).toMatchObject({
        race: 1,
        selection: hashOf("selection", selection),
        reasons: hashOf("reasons", reasons),
      });
    }
  });

  it("has every tip after the race date, also one without an off", async () => {
    const { path, buyer } = await openCard();
    freezeClock(instantAt(RACE_DATE, "23:59"));
    expect((await readProof(buyer, path)).tips.map(({ race }) => race)).toEqual([1, 2]);
    freezeClock(instantAt("2027-04-22", "00:00"));
    const { tips, tipsToCome } = await readProof(buyer, path);
    expect(tips.map(({ race }) => race)).toEqual([1, 2, 3]);
    expect(tipsToCome).toBe(0);
  });

  it("names no horse and no analysis before the first off", async () => {
    const { path, buyer } = await openCard();
    freezeClock(instantAt(RACE_DATE, "12:59"));
    const proof = await readProof(buyer, path);
    expect(proof).toMatchObject({ tips: [], tipsToCome: 3 });
    expect(JSON.stringify(proof)).not.toMatch(/Canary|Drawn well/);
  });

  it("is refused to guests and to users who have not opened the race card", async () => {
    const { path } = await openCard();
    freezeClock(instantAt("2027-04-23", "10:00"));
    const otherUser = await createSender(await makeUser({ coins: 4 }));
    const refused: [SendRequest, string, number][] = [
      [sendAsGuest, path, 401],
      [otherUser, path, 404],
      [otherUser, `/race-cards/${UNKNOWN_ID}/proof.json`, 404],
      [otherUser, "/race-cards/no-id/proof.json", 404],
    ];
    for (const [sendRequest, target, status] of refused) {
      const response = await sendRequest(target);
      expect(response.status).toBe(status);
      expect(await response.text()).not.toMatch(/Canary|Drawn well|salt/);
    }
  });
});
