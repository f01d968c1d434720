import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { jobs } from "#jobs.server.ts";
import { pool } from "#platform/database.server.ts";
import { drainQueue } from "#platform/queue.server.ts";
import { MARK } from "#test/bad-input.ts";
import { Browser } from "#test/browser.ts";
import { type Endpoint, toDataUrl } from "#test/endpoints.ts";
import { makeAdmin, makeTipster, makeUser } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import {
  createBrowserFor,
  createRecordOwners,
  findRowsContaining,
  type RecordOwners,
} from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";
import { expectNoSecret, publishSecretTips } from "#test/secret-tip.ts";

// One crawl: every role reads every page, its data and every other GET endpoint. The tests check the responses.

type Visit = {
  /** For messages: "/help for a guest". */
  where: string;
  role: string;
  path: string;
  kind: Endpoint["kind"];
  isData: boolean;
  status: number;
  headers: Headers;
  text: string;
};

/** Roles that must not read the secret tips: everyone but an admin. */
const UNAUTHORISED = [
  "a guest",
  "a user without coins",
  "a user with coins",
  "another tipster",
  "an analyst",
];
/** Headers that are the same for every visitor. */
const PUBLIC_PATHS = /\.(txt|xml|webmanifest)$|^\/api\/(leaderboard|venues|openapi\.json)$/;
/** Parameters that a forged link could have. */
const FORGED_QUERY = "sure=yes&token=x&confirm=1&_method=delete";

/** A tipster who owns nothing, and reads the addresses with ids of others only. */
const STRANGER = "a tipster without records";

let owners: RecordOwners;
let browsers: Record<string, Browser>;
let visits: Visit[];
let rowsBefore: Record<string, string[]>;
let rowsAfter: Record<string, string[]>;

function addForgedQuery(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${FORGED_QUERY}`;
}

/**
 * Returns the URLs of an endpoint for a role. A guest gets cached pages only without unknown parameters, so these are
 * requested with and without the parameters of a forged link.
 */
function listUrls(role: string, { path, kind }: Endpoint): string[] {
  const urls = kind === "page" ? [path, toDataUrl(path)] : [path];
  const withQuery = urls.map(addForgedQuery);
  // The addresses that people use, for those who could see most of a locked tip.
  const isPlainToo = ["a guest", "a user with coins", "another tipster"].includes(role);
  return isPlainToo ? [...urls, ...withQuery] : withQuery;
}

beforeAll(async () => {
  stubFetchInProcess();
  owners = await createRecordOwners();
  await storeMarkup(owners);
  const secret = await publishSecretTips();
  await drainQueue(jobs());
  browsers = {
    "a guest": new Browser(),
    "a user without coins": await createBrowserFor(await makeUser()),
    "a user with coins": await createBrowserFor(owners.buyer),
    "another tipster": await createBrowserFor(owners.tipster),
    "an analyst": await createBrowserFor(await makeTipster({ kind: "analyst" })),
    "an admin": await createBrowserFor(await makeAdmin()),
    [STRANGER]: await createBrowserFor(await makeTipster()),
  };
  const secretIds = {
    ...owners.ids,
    raceCardId: secret.raceCardId,
    venueId: secret.venue.id,
    raceDate: secret.raceDate,
    slug: secret.slug,
    venueSlug: "kenilworth",
    trackSlug: "kenilworth",
    tipId: secret.tipIds[0] ?? "",
    id: secret.raceCardId,
  };
  const routes = [
    ...(await listRunningEndpoints(owners.ids)),
    ...(await listRunningEndpoints(secretIds)),
  ].filter(({ method }) => method === "GET");
  const lists: Endpoint[] = [
    `/api/race-cards?venue=kenilworth&date=${secret.raceDate}`,
    `/api/race-cards?venue=${secret.venue.id}`,
    `/records/${secret.slug}.json`,
    `/records/${secret.slug}.csv`,
    "/nowhere",
  ].map((path) => ({ path, method: "GET", kind: "data" }));
  const filteredPages: Endpoint[] = [
    "/tracks/kenilworth",
    "/?venue=kenilworth",
    `/?card=${secret.raceCardId}`,
    `/tipsters/${secret.slug}/tips?venue=kenilworth`,
    `/tipsters/${secret.slug}/tips?confidence=high`,
  ].map((path) => ({ path, method: "GET", kind: "page" }));
  const endpoints = new Map(
    [...routes, ...lists, ...filteredPages].map((endpoint) => [endpoint.path, endpoint]),
  );

  const { rows: roles } = await pool().query(
    "select user_id from user_roles where role = 'tipster'",
  );
  const userIds = [owners.buyer.id, owners.tipster.id, ...roles.map((row) => row.user_id)];
  rowsBefore = await findRowsContaining(userIds);
  visits = [];
  const ids = Object.values(owners.ids);
  for (const [role, browser] of Object.entries(browsers))
    for (const endpoint of endpoints.values())
      for (const url of listUrls(role, endpoint)) {
        if (role === STRANGER && !ids.some((id) => url.includes(id))) continue;
        const { path, kind } = endpoint;
        const response = await browser.send(url, {
          method: "GET",
          headers: { "Accept-Encoding": "identity" },
        });
        const { status, headers } = response;
        const isData = kind === "page" && /\.data(\?|$)/.test(url);
        const text = await response.text();
        const where = `${url} for ${role}`;
        visits.push({ where, role, path, kind, isData, status, headers, text });
      }
  rowsAfter = await findRowsContaining(userIds);
  // Requesting every page as every role is slow on a busy machine.
}, 900_000);

/** Stores the longest and strangest values that validation accepts in fields that pages show. */
async function storeMarkup({ buyer, tipster, ids }: RecordOwners): Promise<void> {
  buyer.name = `${buyer.name} </title><${MARK}>"'`;
  const text = `</script><${MARK}>"'`;
  await pool().query("update users set name = $1 where id = $2", [buyer.name, buyer.id]);
  await pool().query("update creators set display_name = $1, bio = $1 where user_id = $2", [
    text,
    tipster.id,
  ]);
  await pool().query(
    "update tipster_applications set full_name = $1, display_name = $1, bio = $1 where id = $2",
    [text, ids.applicationId],
  );
  await pool().query("update alerts set message = $1 where id = $2", [text, ids.alertId]);
}

/** Parses a content security policy by directive. */
function parsePolicy(headers: Headers): Map<string, string[]> {
  const policy = headers.get("Content-Security-Policy") ?? "";
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
  it("is no server error, for any role", () => {
    expect(new Set(visits.map(({ role }) => role)).size).toBe(7);
    expect(visits.length).toBeGreaterThan(800);
    for (const { status, where } of visits) expect(status, where).toBeLessThan(500);
  });

  it("forbids content sniffing, framing, referrers and device access", () => {
    for (const { path, headers, where } of visits) {
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
  });

  it("is not cacheable for signed-in users on the pages that only they see", () => {
    const pages = {
      "another tipster": /^\/(tipster-dashboard|profile|my-cards|api\/me|$)/,
      "an admin": /^\/admin/,
    };
    let checked = 0;
    for (const { role, path, kind, isData, headers, where } of visits) {
      if (!pages[role as keyof typeof pages]?.test(path)) continue;
      if (path.startsWith("/uploads/") || PUBLIC_PATHS.test(path)) continue;
      if (kind === "page" && !isData) continue;
      checked += 1;
      const cacheControl = headers.get("Cache-Control") ?? "";
      expect(cacheControl, where).not.toMatch(/public|s-maxage|immutable/);
      if (kind === "page") expect(cacheControl, where).toContain("no-store");
    }
    expect(checked).toBeGreaterThan(40);
  });

  it("contains no locked tip, unless an admin reads it", () => {
    for (const { role, headers, text, where } of visits)
      if (UNAUTHORISED.includes(role))
        expectNoSecret(`${JSON.stringify([...headers])}\n${text}`, where);
  });

  it("contains no personal data of others, unless an admin reads it", () => {
    const ofBuyer = ["Zebulon Vermeulen", owners.buyer.email];
    const ofTipster = [owners.tipster.email, "1234567890"];
    const secretsFor: Record<string, string[]> = {
      "a user with coins": ofTipster,
      "another tipster": ofBuyer,
      "an admin": [],
    };
    for (const { role, path, headers, text, where } of visits) {
      // The demo's mailbox shows the emails of everyone.
      if (path.startsWith("/demo/mail")) continue;
      const response = `${JSON.stringify([...headers])}${text}`;
      for (const secret of secretsFor[role] ?? [...ofBuyer, ...ofTipster])
        expect(response.includes(secret), `${secret} at ${where}`).toBe(false);
    }
  });

  it("changes nothing, whatever the parameters of the URL", () => {
    // Sessions created by this test.
    const { sessions: _before, ...before } = rowsBefore;
    const { sessions: _after, ...after } = rowsAfter;
    expect(Object.keys(before).length).toBeGreaterThan(40);
    expect(after).toEqual(before);
  });
});

describe("every page", () => {
  it("escapes the stored text that it shows", () => {
    const pages = visits.filter(({ headers, text }) => {
      const isHtml = headers.get("Content-Type")?.includes("text/html") ?? false;
      return isHtml && text.includes(MARK);
    });
    expect(new Set(pages.map(({ path }) => path)).size).toBeGreaterThan(5);
    for (const { text, where } of pages) expect(text.includes(`<${MARK}`), where).toBe(false);
  });

  it("runs only its own scripts, by nonce or hash, and no user input", () => {
    let pages = 0;
    for (const { kind, isData, headers, text: html, where } of visits) {
      if (kind !== "page" || isData) continue;
      if (!headers.get("Content-Type")?.includes("text/html")) continue;
      pages += 1;
      const policy = parsePolicy(headers);
      const scripts = policy.get("script-src") ?? [];
      expect(scripts.join(" "), where).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
      expect(scripts, where).toContain("'self'");
      expect(policy.get("default-src"), where).toEqual(["'self'"]);
      expect(policy.get("object-src"), where).toEqual(["'none'"]);
      expect(policy.get("base-uri"), where).toEqual(["'none'"]);
      expect(policy.get("frame-ancestors"), where).toEqual(["'none'"]);
      expect(policy.get("form-action"), where).toEqual(["'self'"]);
      for (const { text, nonce } of findInlineScripts(html)) {
        const hash = createHash("sha256").update(text).digest("base64");
        const isAllowed =
          scripts.includes(`'sha256-${hash}'`) || scripts.includes(`'nonce-${nonce}'`);
        expect(isAllowed, `${text.slice(0, 60)} at ${where}`).toBe(true);
      }
      expect(html, where).not.toMatch(/<[^>]+\son(click|load|error|submit|change)=/i);
      expect(html, where).not.toMatch(/href="javascript:/i);
    }
    expect(pages).toBeGreaterThan(200);
  });

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
