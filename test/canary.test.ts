import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { createSender, type SendRequest, sendAsGuest } from "#test/app.ts";
import { makeUser, type Person } from "#test/factories.ts";
import {
  ANALYSIS,
  expectNoSecret,
  HORSE,
  NOTE,
  publishSecretTips,
  readHeadersAndBody,
  SECRETS,
} from "#test/secret-tip.ts";

// A locked tip outside the pages, which `test/security/every-page.test.ts` reads.

let raceCardId: string;
let tipIds: string[];
let slug: string;
let raceDate: string;
let buyer: Person;
let unauthorisedCallers: Record<string, SendRequest>;

beforeAll(async () => {
  ({ raceCardId, raceDate, slug, tipIds } = await publishSecretTips());
  buyer = await makeUser({ coins: 4 });
  unauthorisedCallers = {
    "a guest": sendAsGuest,
    "a user without coins": await createSender(await makeUser()),
  };
  await drainQueue(jobs());
});

afterEach(() => freezeClock(null));

describe("a locked tip", () => {
  it("is visible to its creator", async () => {
    expect(SECRETS.join(" ")).not.toBe("");
    const { rows } = await pool().query("select horse_name, analysis from tips where id = $1", [
      tipIds[0],
    ]);
    expect(JSON.stringify(rows)).toContain(HORSE);
  });

  it("is not in any error response", async () => {
    const attempts: [string, RequestInit][] = [
      [`/api/race-cards/${raceCardId}/unlock`, { method: "POST" }],
      [`/api/race-cards/${tipIds[0]}/unlock`, { method: "POST" }],
      [`/api/race-cards/${raceCardId}/unlock`, { method: "POST", body: "{" }],
      [
        `/api/race-cards/${raceCardId}/unlock`,
        { method: "POST", body: "{", headers: { "Content-Type": "application/json" } },
      ],
      [`/api/race-cards/${raceCardId}'/unlock`, { method: "POST" }],
      [`/race-cards/${raceCardId}`, { method: "POST", body: new URLSearchParams({ raceCardId }) }],
      ["/?index", { method: "POST", body: new URLSearchParams({ raceCardId }) }],
      [`/unlock/${raceCardId}`, { method: "POST", body: new URLSearchParams({ name: "x" }) }],
    ];
    for (const [role, send] of Object.entries(unauthorisedCallers))
      for (const [path, init] of attempts) {
        const response = await send(path, init);
        expect(response.status, `${path} for ${role}`).toBeLessThan(500);
        expectNoSecret(await readHeadersAndBody(response), `POST ${path} for ${role}`);
      }
  });

  it("is not in any email, including the notice to the operator", async () => {
    const { rows } = await pool().query("select * from emails");
    expect(rows.map((row) => row.kind)).toContain("tip-notice");
    expectNoSecret(JSON.stringify(rows), "an email");
  });

  it("is not in any live event", async () => {
    const controller = new AbortController();
    const response = await sendAsGuest("/events/leaderboard", { signal: controller.signal });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    controller.abort();
    expectNoSecret(new TextDecoder().decode(first?.value), "an event");
  });

  it("is visible to its buyer, and after its day to everyone without the analysis", async () => {
    const send = await createSender(buyer);
    const opened = await send(`/api/race-cards/${raceCardId}/unlock`, { method: "POST" });
    expect(opened.status).toBe(200);
    const text = await opened.text();
    for (const secret of SECRETS) expect(text).toContain(secret);
    expect((await (await send("/my-cards")).text()).includes(ANALYSIS)).toBe(true);
    expect(await (await send(`/race-cards/${raceCardId}`)).text()).toContain(NOTE);

    freezeClock(new Date(instantAt(addDays(raceDate, 1)).getTime() - 1));
    const paths = [
      `/api/race-cards?date=${raceDate}`,
      `/records/${slug}.json`,
      `/records/${slug}.csv`,
    ];
    for (const path of paths)
      expectNoSecret(await (await sendAsGuest(path)).text(), `${path} on the race date`);
    freezeClock(instantAt(addDays(raceDate, 1)));
    for (const path of paths) {
      const after = await (await sendAsGuest(path)).text();
      expect(after, path).toContain(HORSE);
      expect(after, path).not.toContain(ANALYSIS);
      expect(after, path).not.toContain(NOTE);
    }
    expect(dateAt(now()) > raceDate).toBe(true);
  });
});
