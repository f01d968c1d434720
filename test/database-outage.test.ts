import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startSession } from "#accounts/accounts.server.ts";
import { Browser } from "#test/browser.ts";
import { makeTipster, makeUser, publishRaceCard } from "#test/factories.ts";
import { proxyTestDatabase, type TcpProxy } from "#test/tcp-proxy.ts";

// The database becomes unavailable while the application serves requests, and recovers.

const UNAVAILABLE = "Furlong is temporarily unavailable";
let proxy: TcpProxy;
let raceCardId: string;
const guest = new Browser();
const user = new Browser();
const tipster = new Browser();

beforeAll(async () => {
  proxy = await proxyTestDatabase();
  const creator = await makeTipster();
  const card = await publishRaceCard({ creatorId: creator.id });
  raceCardId = card.raceCardId;
  user.applyCookies(await startSession((await makeUser({ coins: 8 })).id));
  tipster.applyCookies(await startSession(creator.id));
  expect((await guest.get("/")).status).toBe(200);
  await proxy.disconnect();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await proxy.close();
});

describe("while the database is down", () => {
  it("returns 503 with Retry-After for every page that needs it", async () => {
    const requests: [Browser, string][] = [
      [guest, "/leaderboard"],
      [guest, `/race-cards/${raceCardId}`],
      [guest, `/unlock/${raceCardId}`],
      [user, "/"],
      [user, "/my-cards"],
      [user, "/profile"],
      [user, "/buy-coins"],
      [user, "/help"],
      [tipster, "/tipster-dashboard"],
      [user, "/admin"],
    ];
    for (const [browser, path] of requests) {
      const response = await browser.get(path);
      expect(response.status, path).toBe(503);
      expect(response.headers.get("Retry-After"), path).toBe("5");
      expect(response.headers.get("Content-Type"), path).toContain("text/html");
      expect(response.headers.get("Cache-Control"), path).toContain("no-store");
      // Without this header the browser keeps the offline copies of the signed-in user.
      if (browser !== guest) expect(response.headers.has("Offline-Owner"), path).toBe(false);
      const html = await response.text();
      expect(html, path).toContain(UNAVAILABLE);
      expect(html, path).not.toMatch(/ECONN|127\.0\.0\.1|Error:/);
    }
  });

  it("shows an error on the home page where the race cards would be", async () => {
    for (const request of [user.get("/"), guest.get(`/race-cards/${raceCardId}`)])
      expect(await (await request).text()).toContain("Failed to load tips. Please try again.");
    expect(await (await user.get("/profile")).text()).not.toContain("Failed to load tips");
  });

  it("shows an error in forms and keeps the input except passwords", async () => {
    const email = "thandi@example.test";
    const password = "long enough to be fine";
    const cases: [Browser, string, Record<string, string>, string, string][] = [
      [guest, "/login", { email, password }, "Login failed:", email],
      [
        guest,
        "/login?mode=register",
        { name: "Thandi", email, password, agreed: "on" },
        "Registration failed:",
        email,
      ],
    ];
    for (const [browser, path, fields, errorPrefix, value] of cases) {
      const response = await browser.post(path, fields);
      expect(response.status, path).toBe(503);
      const html = await response.text();
      expect(html, path).toContain(`${errorPrefix} ${UNAVAILABLE}.`);
      expect(html, path).toContain(`value="${value}"`);
      expect(html, path).not.toContain(password);
    }
  });

  it("serves pages that do not need it", async () => {
    for (const path of ["/help", "/contact", "/terms-of-service", "/login"])
      expect((await guest.get(path)).status, path).toBe(200);
  });

  it("serves guests cached pages, even long after these are stale", async () => {
    const realNow = Date.now;
    // Each request comes half a minute after the previous one: the cached page is long stale.
    for (let index = 1; index <= 3; index += 1) {
      vi.spyOn(Date, "now").mockImplementation(() => realNow() + index * 30_000);
      const response = await guest.get("/");
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("Kenilworth");
      // The background refresh has failed by now.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    vi.restoreAllMocks();
  });

  it("returns 503 for page data, the JSON API and the function paths", async () => {
    for (const path of ["/my-cards.data", "/_root.data", "/leaderboard.data"]) {
      const response = await user.get(path);
      expect(response.status, path).toBe(503);
      expect(response.headers.get("Retry-After"), path).toBe("5");
    }
    const requests = [
      () => user.get("/api/race-cards"),
      () => user.get("/api/me"),
      () => guest.get("/api/venues"),
      () => user.postJson(`/api/race-cards/${raceCardId}/unlock`, {}),
      () => guest.postJson("/api/sign-in", { email: "a@example.test", password: "long enough" }),
      () =>
        tipster.postJson("/.netlify/functions/update-tipster-profile", {
          tipsterId: "x",
          name: "Somebody",
        }),
      () => guest.get("/health/ready"),
    ];
    for (const [index, send] of requests.entries()) {
      const response = await send();
      expect(response.status, String(index)).toBe(503);
      expect(response.headers.get("Retry-After"), String(index)).toBe("5");
      expect(response.headers.get("Content-Type"), String(index)).toContain("json");
    }
    expect((await guest.get("/health/live")).status).toBe(200);
  });
});

describe("after the database recovers", () => {
  it("serves the next requests", async () => {
    await proxy.reconnect();
    expect((await user.get("/my-cards")).status).toBe(200);
    expect((await user.postJson(`/api/race-cards/${raceCardId}/unlock`, {})).status).toBe(200);
    expect((await tipster.get("/tipster-dashboard")).status).toBe(200);
  });
});
