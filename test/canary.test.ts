import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { addDays, dateAt, instantAt } from "#domain/calendar.ts";
import { jobs } from "#jobs.server.ts";
import { freezeClock, now } from "#platform/clock.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { createSender, listPagePaths, type SendRequest, sendAsGuest } from "#test/app.ts";
import { makeTipster, makeUser, type Person, publishRaceCard } from "#test/factories.ts";

// Canary words that occur only in one locked tip. A client that has not paid for it must never receive
// them, from any endpoint, in any form.
const HORSE = "Zwartkoppiesvlinder";
const ANALYSIS = "kwaggasnorkelbord";
const SECRETS = [HORSE, ANALYSIS];

let raceCardId: string;
let tipIds: string[];
let slug: string;
let venueId: string;
let raceDate: string;
let buyer: Person;
let unauthorisedCallers: Record<string, SendRequest>;

beforeAll(async () => {
  const creator = await makeTipster();
  const card = await publishRaceCard({
    creatorId: creator.id,
    races: [
      { raceNumber: 1, horseName: HORSE, analysis: `He is ${ANALYSIS} on this going.` },
      { raceNumber: 2, horseName: `${HORSE} Too`, analysis: `Again ${ANALYSIS}.` },
    ],
  });
  ({ raceCardId, raceDate } = card);
  slug = creator.slug;
  venueId = card.venue.id;
  const { rows } = await pool().query("select id from tips where race_card_id = $1", [raceCardId]);
  tipIds = rows.map((row) => row.id);
  buyer = await makeUser({ coins: 4 });
  const userWithoutCoins = await makeUser();
  unauthorisedCallers = {
    "a guest": sendAsGuest,
    "a user without coins": await createSender(userWithoutCoins),
    "a user with coins": await createSender(await makeUser({ coins: 50 })),
    "another tipster": await createSender(await makeTipster()),
    "an analyst": await createSender(await makeTipster({ kind: "analyst" })),
  };
  await drainQueue(jobs());
});

afterEach(() => freezeClock(null));

function expectNoSecret(text: string, where: string) {
  for (const secret of SECRETS)
    expect(text.toLowerCase().includes(secret.toLowerCase()), `${secret} in ${where}`).toBe(false);
}

/** Returns the headers and the body of a response as text. */
async function readHeadersAndBody(response: Response): Promise<string> {
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

async function listPaths(): Promise<string[]> {
  const pages = await listPagePaths({
    raceCardId,
    slug,
    venueSlug: "kenilworth",
    trackSlug: "kenilworth",
    id: raceCardId,
    tipId: tipIds[0] ?? "",
  });
  const tracks = ["/tracks/kenilworth", `/tipsters/${slug}`, `/race-cards/${raceCardId}`];
  const data = [
    "/api/race-cards",
    `/api/race-cards?venue=kenilworth&date=${raceDate}`,
    `/api/race-cards?venue=${venueId}`,
    "/api/leaderboard",
    "/api/venues",
    "/api/me",
    "/api/openapi.json",
    "/sitemap.xml",
    "/?venue=kenilworth",
    `/tipsters/${slug}/tips?venue=kenilworth`,
    `/tipsters/${slug}/tips.data?confidence=high`,
    `/?card=${raceCardId}`,
    `/records/${slug}.json`,
    `/records/${slug}.csv`,
    "/nowhere",
  ];
  const pagesAndTracks = [...new Set([...pages, ...tracks])];
  // Each page is also requested as data, as the browser does on client-side navigation.
  return [
    ...pagesAndTracks,
    ...data,
    ...pagesAndTracks.map((path) => (path === "/" ? "/_root.data" : `${path}.data`)),
  ];
}

describe("a locked tip", () => {
  it("is visible to its creator", async () => {
    expect(SECRETS.join(" ")).not.toBe("");
    const { rows } = await pool().query("select horse_name, analysis from tips where id = $1", [
      tipIds[0],
    ]);
    expect(JSON.stringify(rows)).toContain(HORSE);
  });

  it("is not in any page, page data or API response", async () => {
    const paths = await listPaths();
    expect(paths.length).toBeGreaterThan(30);
    for (const [role, send] of Object.entries(unauthorisedCallers))
      for (const path of paths) {
        const response = await send(path, { headers: { "Accept-Encoding": "identity" } });
        expect(response.status, `${path} for ${role}`).toBeLessThan(500);
        expectNoSecret(await readHeadersAndBody(response), `${path} for ${role}`);
      }
    // Requesting every page as every role is slow on a busy machine.
  }, 120_000);

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
    for (const [role, send] of Object.entries(unauthorisedCallers)) {
      if (role === "a user with coins") continue;
      if (role.includes("tipster") || role.includes("analyst")) continue;
      for (const [path, init] of attempts) {
        const response = await send(path, init);
        expect(response.status, `${path} for ${role}`).toBeLessThan(500);
        expectNoSecret(await readHeadersAndBody(response), `POST ${path} for ${role}`);
      }
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
    }
    expect(dateAt(now()) > raceDate).toBe(true);
  });
});
