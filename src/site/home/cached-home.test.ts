import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { UNSAFE_decodeViaTurboStream as decodeViaTurboStream } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, instantAt } from "#domain/calendar.ts";
import {
  endUserSessions,
  grantRole,
  parseSessionToken,
  startSession,
} from "#identity/identity.server.ts";
import { freezeClock } from "#platform/clock.server.ts";
import { transaction } from "#platform/database.server.ts";
import { publishUpdate } from "#platform/notify.server.ts";
import { OWNER_HEADER } from "#platform/offline.ts";
import { unlockRaceCardAs } from "#sales/sales.server.ts";
import { Browser } from "#test/browser.ts";
import {
  grantTestCoins,
  makeAdmin,
  makeTipster,
  makeUser,
  publishRaceCard,
} from "#test/factories.ts";
import { isCachedHome, type RenderPage, respondWithCachedHome } from "./cached-home.server.ts";

/** Each test has its own day, so that its race cards are the only ones of today. */
let today = "2026-12-01";
beforeEach(async () => {
  today = addDays(today, 1);
  freezeClock(instantAt(today, "08:00"));
  await publishUpdate("race-cards");
});
const publishForToday = (options: Parameters<typeof publishRaceCard>[0] = {}) =>
  publishRaceCard({ raceDate: today, ...options });

async function createSignedInBrowser(userId: string): Promise<Browser> {
  const browser = new Browser();
  browser.applyCookies(await startSession(userId));
  return browser;
}

/** Returns home as it is sent to a browser, which is the cached page. */
async function readHome(browser: Browser, path: "/" | "/_.data" = "/") {
  const response = await browser.send(path, { headers: { "Accept-Encoding": "gzip, br" } });
  // Pages rendered for one request have the preferred encoding.
  expect(response.headers.get("Content-Encoding")).toBe("gzip");
  return { response, text: gunzipSync(Buffer.from(await response.arrayBuffer())).toString() };
}

/** Returns home rendered for one request: the address has an empty query. */
const readRendered = async (browser: Browser, path: string) =>
  await (await browser.get(`${path}?`)).text();

const NONCE = / nonce="([^"]+)"/g;
const REQUEST_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=:[0-9a-f]{8}-)/g;
/** Returns a page without its data and the values that differ in each response. */
const normalise = (page: string) =>
  page
    .replace(NONCE, "")
    .replace(REQUEST_ID, "request")
    .replace(/<script>window\.__reactRouterContext\.streamController.*/s, "");

/** Returns the page data of a page or of its data response, as the browser reads it. */
async function decodeData(text: string): Promise<unknown> {
  const script = /streamController\.enqueue\((".*")\);window/.exec(text)?.[1];
  const stream = new Blob([script ? JSON.parse(script) : text]).stream();
  const { value } = await decodeViaTurboStream(stream, globalThis as never);
  const withoutKeys = (_: string, each: unknown) =>
    typeof each === "string" ? each.replace(REQUEST_ID, "request") : each;
  return JSON.parse(JSON.stringify(value, withoutKeys));
}
const listKeys = (page: string) => [...new Set(page.match(REQUEST_ID))];

describe("the cached home page of a user", () => {
  it.each([
    ["Thandi Mokoena", 12_345],
    ['O\'Neil <b>&amp; "Co" </script><!-- \u2028 \\ $& é 🐎', 1_234_567],
    ["One Coin", 1],
    ["Four Coins", 4],
    ["No Coins", 0],
  ])("is the page and the data that is rendered for %s with %i coins", async (name, coins) => {
    await publishForToday();
    const user = await makeUser({ name, coins });
    const browser = await createSignedInBrowser(user.id);
    for (const path of ["/", "/_.data"] as const) {
      const cached = (await readHome(browser, path)).text;
      const rendered = await readRendered(browser, path);
      if (path === "/") expect(normalise(cached)).toBe(normalise(rendered));
      const data = await decodeData(cached);
      expect(data).toEqual(await decodeData(rendered));
      expect(JSON.stringify(data)).toContain(
        JSON.stringify({ name, roles: [], coins }).slice(1, -1),
      );
    }
  });

  it("has the headers of a page rendered for one request, with its own nonce", async () => {
    const browser = await createSignedInBrowser((await makeUser()).id);
    for (const path of ["/", "/_.data"] as const) {
      const { response, text } = await readHome(browser, path);
      const rendered = await browser.send(`${path}?`, {
        headers: { "Accept-Encoding": "gzip, br" },
      });
      const own = ["x-request-id", "content-length", "content-encoding"];
      const describeHeaders = ({ headers }: Response) =>
        [...headers]
          .filter(([header]) => !own.includes(header))
          .map(([header, value]) => [header, value.replace(/'nonce-[^']+'/, "nonce")]);
      expect(describeHeaders(response)).toEqual(describeHeaders(rendered));
      expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
      const nonce = /'nonce-([^']+)'/.exec(
        response.headers.get("Content-Security-Policy") ?? "",
      )?.[1];
      expect(nonce).toHaveLength(22);
      const nonces = [...text.matchAll(NONCE)].map(([, each]) => each);
      expect(new Set(nonces)).toEqual(new Set(path === "/" ? [nonce] : []));
      expect((await readHome(browser, path)).text).not.toContain(nonce);
    }
  });

  it("shows each of two users only their own name, balance and keys", async () => {
    await publishForToday();
    const people = [
      await makeUser({ name: "First Private Person", coins: 70_001 }),
      await makeUser({ name: "Second Private Person", coins: 90_002 }),
    ];
    const browsers = await Promise.all(people.map(({ id }) => createSignedInBrowser(id)));
    const keys = new Set<string>();
    let count = 0;
    for (const path of ["/", "/_.data"] as const)
      await Promise.all(
        Array.from({ length: 20 }, async (_, turn) => {
          const { text, response } = await readHome(browsers[turn % 2] as Browser, path);
          const [own, other] = turn % 2 === 0 ? ["First", "Second"] : ["Second", "First"];
          const [coins, otherCoins] = turn % 2 === 0 ? ["70001", "90002"] : ["90002", "70001"];
          expect(text).toContain(`${own} Private Person`);
          expect(text).toContain(coins);
          expect(text).not.toContain(`${other} Private Person`);
          expect(text.replaceAll("\u00a0", "")).not.toContain(otherCoins);
          for (const person of people) {
            expect(text).not.toContain(person.id);
            expect(text).not.toContain(person.email);
          }
          expect(response.headers.get("Cache-Control")).toBe("no-store");
          const [key, ...more] = listKeys(text);
          expect(more).toEqual([]);
          keys.add(key ?? "");
          count += 1;
        }),
      );
    expect(keys.size).toBe(count);
    const guest = await (await new Browser().get("/")).text();
    expect(guest).not.toContain("Private Person");
    expect(guest).not.toContain('idempotencyKey" value');
  });

  it("shows a balance that has changed since the last request", async () => {
    const user = await makeUser({ coins: 20_000 });
    const browser = await createSignedInBrowser(user.id);
    expect((await readHome(browser)).text).toContain("20000 coins");
    await grantTestCoins(user.id, 5);
    const { text } = await readHome(browser);
    expect(text).toContain("20005 coins");
    expect(text).not.toContain("20000 coins");
    expect((await readHome(browser, "/_.data")).text).toContain("20005");
  });

  it("marks a race card as opened for its buyer, and contains its tips for nobody", async () => {
    const { raceCardId, creatorId } = await publishForToday({
      races: [{ raceNumber: 1, horseName: "Undisclosed Dancer", analysis: "Undisclosed reason." }],
    });
    const buyer = await makeUser({ coins: 4 });
    const browser = await createSignedInBrowser(buyer.id);
    expect((await readHome(browser)).text).not.toContain("Undisclosed");
    await unlockRaceCardAs(buyer.id, { raceCardId });
    const others = await Promise.all(
      [(await makeUser()).id, creatorId].map((id) => createSignedInBrowser(id)),
    );
    for (const path of ["/", "/_.data"] as const)
      for (let turn = 0; turn < 2; turn += 1) {
        const opened = (await readHome(browser, path)).text;
        expect(opened).not.toContain("Undisclosed");
        if (path === "/") expect(opened).toContain(">Opened<");
        if (path === "/")
          expect(normalise(opened)).toBe(normalise(await readRendered(browser, "/")));
        for (const other of others)
          expect((await readHome(other, path)).text).not.toMatch(/Undisclosed|>Opened</);
      }
  });

  it("marks a creator's own race card for that creator only", async () => {
    const [first, second] = [await makeTipster(), await makeTipster()];
    for (const { id } of [first, second]) await publishForToday({ creatorId: id });
    for (const { id } of [first, second, first]) {
      const browser = await createSignedInBrowser(id);
      const { text } = await readHome(browser);
      expect(text).toContain("Your card");
      expect(normalise(text)).toBe(normalise(await readRendered(browser, "/")));
    }
  });

  it("shows the navigation of the user's roles, also after a role was granted", async () => {
    const user = await makeUser({ coins: 4 });
    const browser = await createSignedInBrowser(user.id);
    const admin = await createSignedInBrowser((await makeAdmin()).id);
    const isAdminPage = async (reader: Browser) =>
      (await readHome(reader)).text.includes('href="/admin"');
    expect([await isAdminPage(admin), await isAdminPage(browser)]).toEqual([true, false]);
    await transaction((tx) => grantRole(tx, { userId: user.id, role: "admin", actorId: null }));
    expect(await isAdminPage(browser)).toBe(true);
  });

  it("is not sent once the session has ended", async () => {
    const user = await makeUser({ name: "Signed Out Person" });
    const browser = await createSignedInBrowser(user.id);
    const { response } = await readHome(browser);
    expect(response.headers.get(OWNER_HEADER)).not.toBe("none");
    await endUserSessions((await makeAdmin()).id, user.id);
    for (const path of ["/", "/_.data"]) {
      const guest = await browser.get(path);
      const text = await guest.text();
      expect(text).not.toContain("Signed Out Person");
      expect(text).not.toContain(listKeys(text)[0] ?? 'idempotencyKey" value');
      expect(guest.headers.get(OWNER_HEADER)).toBe("none");
    }
  });

  it("shows a race card published while the page was rendered in the next response", async () => {
    const browser = await createSignedInBrowser((await makeUser()).id);
    const pending = readHome(browser);
    const { raceCardId } = await publishForToday();
    await publishUpdate("race-cards");
    await pending;
    expect((await readHome(browser)).text).toContain(raceCardId);
  });

  it("is the same page for clients without gzip", async () => {
    const browser = await createSignedInBrowser((await makeUser({ coins: 4 })).id);
    const expected = normalise((await readHome(browser)).text);
    for (const encoding of ["br", "identity"]) {
      const response = await browser.send("/", { headers: { "Accept-Encoding": encoding } });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = (encoding === "br" ? brotliDecompressSync(bytes) : bytes).toString();
      expect(normalise(text)).toBe(expected);
    }
  });
});

describe("respondWithCachedHome", () => {
  const html = (name: string, coins: number) =>
    new Response(`<p>${name} has ${coins}</p>`, { headers: { "Content-Type": "text/html" } });

  async function createToken(coins = 50): Promise<string> {
    const browser = await createSignedInBrowser((await makeUser({ coins })).id);
    return parseSessionToken(browser.request().headers.get("cookie")) ?? "";
  }

  function countRenders(respond: () => Response) {
    const counted = { renders: 0, render: (async () => respond()) as RenderPage };
    counted.render = async () => {
      counted.renders += 1;
      return respond();
    };
    return counted;
  }

  const send = async (token: string, render: RenderPage) =>
    await respondWithCachedHome("/", { token, acceptEncoding: undefined, render });

  it("renders once for all users who see the same, and again after an update", async () => {
    const counted = countRenders(() => html("Somebody", 5));
    const tokens = [await createToken(50), await createToken(60), await createToken(70)];
    await Promise.all(tokens.map((token) => send(token, counted.render)));
    for (const token of tokens) await send(token, counted.render);
    expect(counted.renders).toBe(1);
    for (const topic of ["race-cards", "standings"] as const) {
      await publishUpdate(topic);
      for (const token of tokens) await send(token, counted.render);
    }
    expect(counted.renders).toBe(3);
  });

  it.each([
    ["has another status", () => new Response("x", { status: 503 })],
    ["sets a cookie", () => new Response("x", { headers: { "Set-Cookie": "a=b" } })],
    ["contains NUL", () => new Response("a\0b")],
  ])("returns nothing when the rendered page %s", async (_, respond) => {
    expect(await send(await createToken(), countRenders(respond).render)).toBeNull();
  });

  it("returns nothing for a page that shows a value of the user in an unknown form", async () => {
    const token = await createToken();
    const shows = (text: (id: string) => string): RenderPage => {
      return async (_target, details) => new Response(text(details.id));
    };
    expect(
      await send(
        token,
        shows((id) => `<p>${id}</p>`),
      ),
    ).toBeNull();
  });

  it("returns nothing for an unknown token, without rendering", async () => {
    const counted = countRenders(() => html("Somebody", 5));
    expect(await send("unknown", counted.render)).toBeNull();
    expect(counted.renders).toBe(0);
  });

  it("serves home and its data only, without a query", () => {
    expect(["/", "/_.data"].map(isCachedHome)).toEqual([true, true]);
    for (const target of ["/?", "/?venue=vaal", "/_.data?", "/my-cards", "//", "/_root.data"])
      expect(isCachedHome(target), target).toBe(false);
  });
});
