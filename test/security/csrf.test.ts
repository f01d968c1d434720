import { beforeAll, describe, expect, it, vi } from "vitest";
import { Browser } from "#test/browser.ts";
import { type Endpoint, toDataUrl } from "#test/endpoints.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { readVisibleText } from "#test/page-text.ts";
import {
  createBrowserFor,
  createRecordOwners,
  findRowsContaining,
  type RecordOwners,
} from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// Cross-site request forgery: another site makes the browser of a signed-in user send forms.

const CROSS_SITE_HEADERS: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { Origin: "http://localhost:3000.evil.example" },
  { Origin: "https://localhost.evil.example" },
  { Origin: "null" },
  { Origin: "not an origin" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { Origin: "null", "Sec-Fetch-Site": "none" },
  { Origin: "null", "Sec-Fetch-Site": "cross-site" },
  { Origin: "http://localhost:3000", "Sec-Fetch-Site": "cross-site" },
];

let owners: RecordOwners;
let endpoints: Endpoint[];
let browser: Browser;

beforeAll(async () => {
  stubFetchInProcess();
  owners = await createRecordOwners();
  endpoints = await listRunningEndpoints(owners.ids);
  browser = await createBrowserFor(owners.buyer);
  return () => vi.unstubAllGlobals();
});

describe("a cross-site form", () => {
  it("is refused by every endpoint that accepts writes, without any change", async () => {
    const before = await findRowsContaining([owners.buyer.id, owners.tipster.id]);
    const writeEndpoints = endpoints.filter(
      // The webhook is authenticated by its signature instead.
      ({ method, path }) => method === "POST" && path !== "/webhooks/stripe",
    );
    expect(writeEndpoints.length).toBeGreaterThan(50);
    for (const { path, kind } of writeEndpoints)
      for (const url of kind === "page" ? [path, toDataUrl(path)] : [path])
        for (const headers of CROSS_SITE_HEADERS) {
          const response = await browser.post(
            url,
            { confirmed: "yes" },
            { ...headers, Accept: "application/json" },
          );
          expect(response.status, `${url} with ${JSON.stringify(headers)}`).toBe(403);
        }
    expect(await findRowsContaining([owners.buyer.id, owners.tipster.id])).toEqual(before);
    expect((await browser.get("/api/me")).status).toBe(200);
  }, 120_000);

  it.each(["PUT", "PATCH", "DELETE"])("is refused with method %s", async (method) => {
    const { createApp } = await import("#server.ts");
    const app = createApp();
    for (const path of ["/profile/name", "/api/sign-out", "/api/race-cards/x/unlock", "/"]) {
      const response = await app.request(path, {
        method,
        headers: { Origin: "https://evil.example" },
      });
      expect(response.status, path).toBe(403);
      const sameOrigin = await app.request(path, { method });
      expect(sameOrigin.status, path).toBeLessThan(500);
    }
  });

  it("is refused with the page or page data that the browser asked for, or with JSON", async () => {
    const message = "It came from another website, so nothing was changed.";
    const headers = { Origin: "https://evil.example" };
    for (const path of ["/profile/name", "/login", "/", "/about", "/nowhere"]) {
      const page = await browser.post(path, {}, { ...headers, Accept: "text/html,*/*;q=0.8" });
      expect(page.status, path).toBe(403);
      expect(page.headers.get("Content-Type")).toContain("text/html");
      expect(page.headers.get("Cache-Control")).toBe("no-store");
      expect(await readVisibleText(page), path).toContain(message);
    }
    const pageData = await browser.post("/login.data", {}, headers);
    expect(pageData.status).toBe(403);
    expect(pageData.headers.get("Content-Type")).toContain("text/x-script");
    expect(await pageData.text()).toContain("Cross-Site Request");
    const json = await browser.post("/api/sign-out", {}, headers);
    expect(json.status).toBe(403);
    expect(await json.json()).toEqual({
      error: "This request came from another website, so we refused it.",
    });
  });

  it("carries no cookies, because all are SameSite", async () => {
    const person = new Browser();
    const response = await person.post("/login?mode=register", {
      name: "Naledi Khumalo",
      email: "naledi@example.test",
      password: "a long shot at it",
      agreed: "on",
    });
    const lines = response.headers.getSetCookie();
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/; HttpOnly; SameSite=Lax/);
  });
});
describe("a form of the own site", () => {
  it("is accepted with the origin null if the browser says that it is from the same origin", async () => {
    const headers = { Origin: "null", "Sec-Fetch-Site": "same-origin" };
    for (const path of ["/login", "/login.data"]) {
      const guest = new Browser();
      const fields = { email: "naledi@example.test", password: "not the password" };
      const response = await guest.post(path, fields, headers);
      expect(await response.text(), path).toContain("Invalid email or password");
    }
    const signOut = await new Browser().send("/api/sign-out", {
      method: "POST",
      body: "{}",
      headers: { ...headers, "Content-Type": "application/json" },
    });
    expect(signOut.status).toBe(200);
  });
});
