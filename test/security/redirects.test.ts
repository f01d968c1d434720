import { beforeAll, describe, expect, it } from "vitest";
import { hashPassword, startSession } from "#accounts/accounts.server.ts";
import { Browser } from "#test/browser.ts";
import { makeAdmin, makeUser, type Person } from "#test/factories.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// Open redirects: return paths that lead to another site after signing in.

const EXTERNAL_TARGETS = [
  "https://evil.example/",
  "//evil.example",
  "///evil.example",
  "\\\\evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/%09/evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "/login?return=https://evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "http://localhost:3000@evil.example",
  "\u0000//evil.example",
  " //evil.example",
];
const PASSWORD = "steady as she goes";
const NAMES = ["return", "returnTo", "back", "next", "url", "redirect", "to", "list", "from"];

let person: Person;

beforeAll(async () => {
  person = await makeUser({ passwordHash: await hashPassword(PASSWORD) });
});

/** Resolves the redirect of a response as a browser does. */
function resolveOrigin(location: string | null): string | null {
  return location === null ? null : new URL(location, "http://localhost:3000/login").origin;
}

describe("the redirect after signing in", () => {
  it.each(EXTERNAL_TARGETS)("stays on this site for the target %j", async (target) => {
    const browser = new Browser();
    const page = await browser.get(`/login?return=${encodeURIComponent(target)}`);
    expect(page.status).toBe(200);
    const response = await browser.post("/login", {
      email: person.email,
      password: PASSWORD,
      return: target,
    });
    expect(response.status).toBe(200);
    const links = [...(await response.text()).matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(
      ([, href = ""]) => href.replaceAll("&amp;", "&"),
    );
    expect(links.length).toBeGreaterThan(0);
    for (const href of links) {
      if (/^(mailto|tel):/.test(href)) continue;
      expect(href, target).not.toMatch(/^(javascript|data):/i);
      expect(resolveOrigin(href), `${href} for ${target}`).toBe("http://localhost:3000");
    }
  });
});

describe("every endpoint", () => {
  it("redirects only within this site, for any query or form field", async () => {
    const admin = await makeAdmin();
    const endpoints = await listRunningEndpoints({});
    for (const { path, method, kind } of endpoints) {
      if (kind !== "page") continue;
      const target = path.length % 2 ? "https://evil.example/" : "/.//evil.example";
      const browser = new Browser();
      browser.applyCookies(await startSession(path.startsWith("/admin") ? admin.id : person.id));
      const fields = Object.fromEntries(NAMES.map((name) => [name, target]));
      const response =
        method === "GET"
          ? await browser.get(`${path}?${new URLSearchParams(fields)}`)
          : await browser.post(path, { ...fields, confirmed: "yes" });
      await response.body?.cancel();
      const origin = resolveOrigin(response.headers.get("Location"));
      if (origin) expect(origin, `${method} ${path}`).toBe("http://localhost:3000");
      expect(response.headers.get("Refresh"), path).toBeNull();
    }
  }, 120_000);
});
