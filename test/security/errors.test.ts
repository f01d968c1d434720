import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { pool } from "#platform/database.server.ts";
import { Browser } from "#test/browser.ts";
import { type Endpoint, toDataUrl } from "#test/endpoints.ts";
import { makeAdmin } from "#test/factories.ts";
import { stubFetchInProcess } from "#test/gateway.ts";
import { createBrowserFor, createRecordOwners } from "#test/record-owners.ts";
import { listRunningEndpoints } from "#test/running-endpoints.ts";

// The response to an unexpected error reveals no details.

const SECRET = "relation of hidden_things at /srv/furlong/src/innermost.server.ts:12:34";
/** A public script, whose comments look like a stack trace. */
const PUBLIC_SCRIPT = "/proof/verify.js";
const INTERNAL_DETAILS = /innermost|hidden_things|\/srv\/|(\n|\\n)\s+at \S/i;

let endpoints: Endpoint[];
let browsers: Browser[];

beforeAll(async () => {
  stubFetchInProcess();
  const owners = await createRecordOwners();
  endpoints = (await listRunningEndpoints(owners.ids)).filter(({ path }) => path !== PUBLIC_SCRIPT);
  browsers = [
    new Browser(),
    await createBrowserFor(owners.tipster),
    await createBrowserFor(await makeAdmin()),
  ];
});
afterEach(() => vi.restoreAllMocks());

function mockDatabaseFailure(): void {
  const throwError = () => {
    throw new Error(SECRET);
  };
  vi.spyOn(pool(), "query").mockImplementation(throwError as never);
  vi.spyOn(pool(), "connect").mockImplementation(throwError as never);
}

describe("an unexpected error", () => {
  it("reveals no stack, file name or message in any response", async () => {
    mockDatabaseFailure();
    let failed = 0;
    for (const browser of browsers)
      for (const { path, method, kind } of endpoints)
        for (const url of kind === "page" ? [path, toDataUrl(path)] : [path]) {
          const response =
            method === "GET"
              ? await browser.get(url)
              : await browser.post(url, { email: "a@example.test", password: "whatever it is" });
          if (response.status >= 500) failed += 1;
          const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
          const match = INTERNAL_DETAILS.exec(text);
          const excerpt = match ? text.slice(Math.max(0, match.index - 60), match.index + 60) : "";
          expect(excerpt, `${method} ${url}: ${response.status}`).toBe("");
        }
    expect(failed).toBeGreaterThan(50);
  }, 180_000);
});
