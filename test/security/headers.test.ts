import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "#test/browser.ts";
import { Browser as Guest } from "#test/browser.ts";
import { type Endpoint, toDataUrl } from "#test/endpoints.ts";
import { makeAdmin } from "#test/factories.ts";
import { createBrowserFor, createRecordOwners } from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// The security headers of every response.

/** Headers that are the same for every visitor. */
const PUBLIC_PATHS = /\.(txt|xml|webmanifest)$|^\/api\/(leaderboard|venues|openapi\.json)$/;

let endpoints: Endpoint[];
let browsers: Record<string, Browser>;

beforeAll(async () => {
  const owners = await createRecordOwners();
  endpoints = (await listRunningEndpoints(owners.ids)).filter(({ method }) => method === "GET");
  browsers = {
    "a guest": new Guest(),
    "a tipster": await createBrowserFor(owners.tipster),
    "an admin": await createBrowserFor(await makeAdmin()),
  };
});

/** Returns every endpoint for a guest, and for other roles the pages that only they may see. */
function listEndpointsFor(role: string): Endpoint[] {
  if (role === "a guest") return endpoints;
  const pattern =
    role === "an admin" ? /^\/admin/ : /^\/(tipster-dashboard|profile|my-cards|api\/me|$)/;
  return endpoints.filter(({ path }) => pattern.test(path));
}

/** Parses a content security policy by directive. */
function parsePolicy(response: Response): Map<string, string[]> {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  return new Map(
    policy.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(/\s+/);
      return [name, values];
    }),
  );
}

/** Returns the inline scripts of a page with their nonces. */
function findInlineScripts(html: string): { text: string; nonce: string | undefined }[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = ""]) => !/\bsrc=/.test(attributes))
    .filter(([, attributes = ""]) => !/type="(?!module|text\/javascript)/.test(attributes))
    .map(([, attributes = "", text = ""]) => ({
      text,
      nonce: /nonce="([^"]+)"/.exec(attributes)?.[1],
    }));
}

describe("every response", () => {
  it("forbids content sniffing, framing, referrers and device access", async () => {
    // Page data has the same headers as the page, so one role is enough.
    for (const [role, browser] of Object.entries(browsers))
      for (const { path, kind } of listEndpointsFor(role))
        for (const url of kind === "page" && role === "a guest"
          ? [path, toDataUrl(path)]
          : [path]) {
          const { headers } = await browser.get(url);
          const where = `${url} for ${role}`;
          expect(headers.get("X-Content-Type-Options"), where).toBe("nosniff");
          expect(headers.get("X-Frame-Options"), where).toBe("DENY");
          const policy = headers.get("Content-Security-Policy");
          // Images have a sandbox policy instead.
          if (!path.startsWith("/uploads/"))
            expect(policy, where).toMatch(
              /object-src 'none'; base-uri 'none';.*frame-ancestors 'none'/,
            );
          expect(headers.get("Referrer-Policy"), where).toBe("strict-origin-when-cross-origin");
          expect(headers.get("Permissions-Policy"), where).toContain("camera=()");
          expect(headers.get("Cross-Origin-Opener-Policy"), where).toBe("same-origin");
          expect(headers.get("Cross-Origin-Resource-Policy"), where).toBe("same-origin");
          expect(headers.get("Access-Control-Allow-Origin"), where).toBeNull();
          expect(headers.get("Server"), where).toBeNull();
          expect(headers.get("X-Powered-By"), where).toBeNull();
        }
  }, 120_000);

  it("is not cacheable for signed-in users", async () => {
    for (const role of ["a tipster", "an admin"] as const)
      for (const { path, kind } of listEndpointsFor(role)) {
        if (path.startsWith("/uploads/") || PUBLIC_PATHS.test(path)) continue;
        const response = await browsers[role]?.get(kind === "page" ? toDataUrl(path) : path);
        const cacheControl = response?.headers.get("Cache-Control") ?? "";
        expect(cacheControl, `${path} for ${role}`).not.toMatch(/public|s-maxage|immutable/);
        if (kind === "page") expect(cacheControl, path).toContain("no-store");
      }
  }, 120_000);
});

describe("every page", () => {
  it("runs only its own scripts, by nonce or hash, and no user input", async () => {
    let pages = 0;
    for (const [role, browser] of Object.entries(browsers))
      for (const { path, kind } of listEndpointsFor(role)) {
        if (kind !== "page") continue;
        const response = await browser.get(path);
        if (!response.headers.get("Content-Type")?.includes("text/html")) continue;
        pages += 1;
        const where = `${path} for ${role}`;
        const policy = parsePolicy(response);
        const scripts = policy.get("script-src") ?? [];
        expect(scripts.join(" "), where).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
        expect(scripts, where).toContain("'self'");
        expect(policy.get("default-src"), where).toEqual(["'self'"]);
        expect(policy.get("object-src"), where).toEqual(["'none'"]);
        expect(policy.get("base-uri"), where).toEqual(["'none'"]);
        expect(policy.get("frame-ancestors"), where).toEqual(["'none'"]);
        expect(policy.get("form-action"), where).toEqual(["'self'"]);
        const html = await response.text();
        for (const { text, nonce } of findInlineScripts(html)) {
          const hash = createHash("sha256").update(text).digest("base64");
          const isAllowed =
            scripts.includes(`'sha256-${hash}'`) || scripts.includes(`'nonce-${nonce}'`);
          expect(isAllowed, `${text.slice(0, 60)} at ${where}`).toBe(true);
        }
        expect(html, where).not.toMatch(/<[^>]+\son(click|load|error|submit|change)=/i);
        expect(html, where).not.toMatch(/href="javascript:/i);
      }
    expect(pages).toBeGreaterThan(60);
  }, 120_000);

  it("has a unique nonce, or none when it is cached for all guests", async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      const response = await browsers["an admin"]?.get("/admin");
      const nonce = /'nonce-([^']+)'/.exec(
        response?.headers.get("Content-Security-Policy") ?? "",
      )?.[1];
      expect(Buffer.from(nonce ?? "", "base64").length).toBeGreaterThanOrEqual(16);
      nonces.add(nonce ?? "");
    }
    expect(nonces.size).toBe(5);
    const guests = await browsers["a guest"]?.get("/");
    expect(guests?.headers.get("Content-Security-Policy")).not.toContain("nonce");
  });
});
