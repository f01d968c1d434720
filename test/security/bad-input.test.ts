import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { expectBooksToHold } from "#test/books.ts";
import { makeAdmin, makeUser, type Person } from "#test/cast.ts";
import { answerInProcess } from "#test/gateway.ts";
import { jobs } from "../../src/jobs.server.ts";
import { everyAddress } from "./addresses.ts";
import { MARK, sendBadInput } from "./bad-input.ts";
import { browserOf, makeVictim, PASSWORD, type Victim } from "./victim.ts";

// Whatever is sent, by whomever, wherever: an answer that is no error of ours, and nothing of it is ever
// shown as markup. BAD_INPUT_RUNS and BAD_INPUT_SEED make it longer, and another one.

const RUNS = Number(process.env.BAD_INPUT_RUNS ?? 300);
const SEED = Number(process.env.BAD_INPUT_SEED ?? 20261121);

let victim: Victim;
let people: (Person | null)[];

beforeAll(async () => {
  answerInProcess();
  victim = await makeVictim();
  people = [null, victim.buyer, victim.tipster, await makeAdmin(), await makeUser({ coins: 400 })];
}, 60_000);
afterAll(async () => {
  vi.unstubAllGlobals();
  await expectBooksToHold();
});

/** What each form would take, all in one. */
function good(): Record<string, string> {
  return {
    ...victim.ids,
    venue: victim.ids.venueId ?? "",
    date: victim.raceDate,
    horse: "Quiet Lantern",
    type: "win",
    confidence: "high",
    analysis: "Ran on well last time.",
    batchKey: randomUUID(),
    name: "Naledi Khumalo",
    displayName: `Naledi ${randomUUID().slice(0, 8)}`,
    fullName: "Naledi Khumalo",
    bio: "Born at Scottsville.",
    specialization: "Sprints",
    phone: "0821234567",
    email: `naledi-${randomUUID().slice(0, 8)}@example.test`,
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: "another fine one",
    again: "another fine one",
    confirmPassword: "another fine one",
    accessCode: PASSWORD,
    code: "123456",
    token: randomUUID(),
    sealed: "v1.x",
    agreed: "on",
    terms: "on",
    sure: "yes",
    active: "yes",
    suspended: "no",
    keep: "yes",
    result: "won",
    reason: "because",
    message: "Please look.",
    subject: "A question",
    amountCoins: "4",
    requestKey: randomUUID(),
    seenRun: "0",
    packageId: "starter_4",
    returnTo: "/",
    return: "/",
    back: "/admin",
    payout: victim.ids.payoutId ?? "",
    holder: "N Khumalo",
    bank: "Capitec Bank",
    branchCode: "470010",
    accountNumber: "1234567890",
    accountType: "savings",
    location: "Durban",
    totalRaces: "8",
    source: "the club",
    going: "good",
    weather: "sunny",
    temperatureCelsius: "21",
    humidityPercent: "40",
    windKmh: "10",
    search: "naledi",
    q: "coins",
    period: "month",
    before: "7",
    cursor: "x",
    status: "open",
    order: "newest",
    page: "2",
    card: victim.ids.raceCardId ?? "",
    "1.horse": "Quiet Lantern",
    races: "[]",
    photo: "data:image/png;base64,AAAA",
    imageData: "data:image/png;base64,AAAA",
    rand: "40",
    cardNumber: "4242424242424242",
  };
}

describe("bad input", () => {
  it(
    `is answered ${RUNS} times without an error of ours, and never becomes markup`,
    async () => {
      const { answered, faults } = await sendBadInput(
        { people, ids: victim.ids, good },
        { runs: RUNS, seed: SEED },
      );
      expect(faults).toEqual([]);
      // Some of it no client could send at all.
      expect(answered).toBeGreaterThan(RUNS * 0.8);
    },
    120_000 + RUNS * 500,
  );

  it("that was stored is shown as text on every page, and does not break one", async () => {
    // The longest and strangest that the doors take, where everybody can read it.
    await pool().query("update users set name = $1 where id = $2", [
      `</title><${MARK} onload=alert(1)>"'`,
      victim.buyer.id,
    ]);
    await pool().query("update creators set display_name = $1 where user_id = $2", [
      `</script><${MARK}>"'`,
      victim.tipster.id,
    ]);
    await drainQueue(jobs());
    const addresses = await everyAddress(victim.ids);
    let shown = 0;
    for (const person of [victim.buyer, people[3]])
      for (const { path, method, kind } of addresses) {
        if (method !== "GET" || kind !== "page" || !person) continue;
        const answer = await (await browserOf(person)).get(path);
        expect(answer.status, path).toBeLessThan(500);
        if (!answer.headers.get("Content-Type")?.includes("text/html")) continue;
        const html = await answer.text();
        if (html.includes(MARK)) shown += 1;
        expect(html.includes(`<${MARK}`), path).toBe(false);
      }
    expect(shown).toBeGreaterThan(5);
  }, 120_000);
});
