import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { pool } from "#platform/database.server.ts";
import { log } from "#platform/log.server.ts";
import { sendAsGuest } from "#test/app.ts";
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

/** Polled every few seconds, so an outage is not logged for each answer. */
const READINESS = "/health/ready";

const ENCODINGS = ["br", "gzip", "identity", undefined];
const DECODERS: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** Requests a path as a guest. Returns the response with its body decoded as its header says. */
async function request(path: string, method: string, encoding: string | undefined) {
  const response = await sendAsGuest(path, {
    method,
    headers: { Accept: "text/html", ...(encoding ? { "Accept-Encoding": encoding } : {}) },
  });
  const body = Buffer.from(await response.arrayBuffer());
  const contentEncoding = response.headers.get("Content-Encoding");
  const decode = contentEncoding && body.length > 0 ? DECODERS[contentEncoding] : undefined;
  return {
    status: response.status,
    type: response.headers.get("Content-Type"),
    length: response.headers.get("Content-Length"),
    contentEncoding,
    bytes: body.length,
    text: new TextDecoder("utf-8", { fatal: true }).decode(decode ? decode(body) : body),
  };
}

/**
 * Checks an error response as GET and HEAD. The first response of each kind is checked in every encoding and the
 * others in one, because the same code encodes them all. Returns whether the path answered with an error.
 */
async function checkErrorResponse(
  path: string,
  index: number,
  kinds: Set<string>,
): Promise<boolean> {
  const logError = vi.spyOn(log, "error");
  logError.mockClear();
  const { status, type } = await request(path, "GET", undefined);
  if (status < 400) return false;
  const isLogged = status >= 500 && path !== READINESS;
  expect(logError.mock.calls.length > 0, `${path}: ${status} in the log`).toBe(isLogged);
  const kind = `${status} ${type}`;
  const encodings = kinds.has(kind) ? [ENCODINGS[index % ENCODINGS.length]] : ENCODINGS;
  kinds.add(kind);
  for (const encoding of encodings) {
    const description = `${path} as ${encoding}`;
    const answer = await request(path, "GET", encoding);
    expect(answer, description).toMatchObject({ status, type });
    expect([null, encoding], description).toContain(answer.contentEncoding);
    if (answer.length !== null) expect(Number(answer.length), description).toBe(answer.bytes);
    expect(answer.text, description).not.toMatch(INTERNAL_DETAILS);
    expect(answer.bytes, description).toBeGreaterThan(0);
    const head = await request(path, "HEAD", encoding);
    expect(head, `HEAD ${description}`).toMatchObject({ status, type, bytes: 0 });
  }
  return true;
}

describe("an error response agrees with its headers in every encoding, as GET and HEAD", () => {
  const listPaths = () => {
    const paths = endpoints.filter(({ method }) => method === "GET").map(({ path }) => path);
    return [...new Set(paths)];
  };

  it("when there is no such thing", async () => {
    const kinds = new Set<string>();
    let errors = 0;
    for (const [index, path] of listPaths().entries())
      if (await checkErrorResponse(`${path.replace(/\/$/, "")}/no-such-thing`, index, kinds))
        errors += 1;
    expect(errors).toBeGreaterThan(50);
    expect(kinds.size).toBeGreaterThan(1);
  });

  it("when the database fails", async () => {
    mockDatabaseFailure();
    const kinds = new Set<string>();
    let errors = 0;
    for (const [index, path] of listPaths().entries())
      if (await checkErrorResponse(path, index, kinds)) errors += 1;
    expect(errors).toBeGreaterThan(30);
    expect(kinds.size).toBeGreaterThan(1);
  });
});
