import { beforeAll, describe, expect, it, vi } from "vitest";
import { Browser } from "#test/browser.ts";
import { type Endpoint, toDataUrl } from "#test/endpoints.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
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
          const response = await browser.post(url, { confirmed: "yes" }, headers);
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
