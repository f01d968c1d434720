import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { guestPage } from "./guest-pages.server.ts";
import type { HttpEnv } from "./http.server.ts";

let renders = 0;
let answer: () => Response | Promise<Response>;
const app = new Hono<HttpEnv>();
app.get("*", (c) =>
  guestPage(c, async () => {
    renders += 1;
    return await answer();
  }),
);

const page = (html: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(html, {
    status,
    headers: { "Content-Type": "text/html", "Cache-Control": "s-maxage=20", ...headers },
  });
let pages = 0;
const aPath = () => {
  pages += 1;
  return `/page-${pages}`;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  renders = 0;
});
afterEach(() => vi.useRealTimers());

describe("a guest's page", () => {
  it("is rendered once for all who ask while it is fresh, even at the same time", async () => {
    answer = () => page("<p>Today</p>");
    const path = aPath();
    await Promise.all(Array.from({ length: 20 }, () => app.request(path)));
    expect(await (await app.request(path)).text()).toBe("<p>Today</p>");
    expect(renders).toBe(1);
  });

  it("is sent once more while it is made anew, but not when it is older than a minute", async () => {
    const path = aPath();
    answer = () => page("one");
    await app.request(path);
    vi.advanceTimersByTime(21_000);
    answer = () => page("two");
    expect(await (await app.request(path)).text()).toBe("one");
    await vi.waitFor(async () => expect(await (await app.request(path)).text()).toBe("two"));
    vi.advanceTimersByTime(61_000);
    answer = () => page("three");
    expect(await (await app.request(path)).text()).toBe("three");
  });

  it("goes on being read while it cannot be made anew", async () => {
    const path = aPath();
    answer = () => page("kept");
    await app.request(path);
    vi.advanceTimersByTime(3_600_000);
    answer = () => page("away", {}, 503);
    const response = await app.request(path);
    expect([response.status, await response.text()]).toEqual([200, "kept"]);
  });

  it("allows its own inline scripts and no other", async () => {
    answer = () => page('<script>start("now")</script><script src="/a.js"></script>');
    const policy = (await app.request(aPath())).headers.get("Content-Security-Policy");
    const hash = createHash("sha256").update('start("now")').digest("base64");
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
  });

  it("travels compressed, and not at all to whoever has it", async () => {
    answer = () => page("a page ".repeat(1000));
    const path = aPath();
    const first = await app.request(path, { headers: { "Accept-Encoding": "br, gzip" } });
    expect(first.headers.get("Content-Encoding")).toBe("br");
    const body = brotliDecompressSync(Buffer.from(await first.arrayBuffer())).toString();
    expect(body).toBe("a page ".repeat(1000));
    const again = await app.request(path, {
      headers: { "Accept-Encoding": "br, gzip", "If-None-Match": first.headers.get("ETag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(first.headers.get("Vary")).toContain("Cookie");
  });

  it.each([
    [
      "does not say how long it is the same for all",
      () => page("x", { "Cache-Control": "private" }),
    ],
    ["sets a cookie", () => page("x", { "Set-Cookie": "a=b" })],
    ["is not there", () => page("x", {}, 404)],
  ])("is never kept when it %s", async (_, made) => {
    answer = made;
    const path = aPath();
    const responses = await Promise.all([app.request(path), app.request(path), app.request(path)]);
    expect(renders).toBe(3);
    for (const response of responses) {
      expect(await response.text()).toBe("x");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
  });
});
