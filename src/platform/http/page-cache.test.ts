import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announce } from "#platform/notify.server.ts";
import { compress } from "./compress.server.ts";
import type { HttpEnv } from "./http.server.ts";
import { cachedGuestPage, type RenderGuestPage } from "./page-cache.server.ts";

let renders = 0;
let answer: (page: Parameters<RenderGuestPage>[0]) => Response | Promise<Response>;
const app = new Hono<HttpEnv>();
app.get("*", (c) =>
  cachedGuestPage(
    c,
    c.req.path.startsWith("/uncached") ? null : ["venue", "page"],
    async (page) => {
      renders += 1;
      return await answer(page);
    },
  ),
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

  it("is sent once more while it is made again, but not when it is older than a minute", async () => {
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

  it("goes on being read while it cannot be made again", async () => {
    const path = aPath();
    answer = () => page("kept");
    await app.request(path);
    vi.advanceTimersByTime(3_600_000);
    answer = () => page("away", {}, 503);
    const response = await app.request(path);
    expect([response.status, await response.text()]).toEqual([200, "kept"]);
  });

  it("allows the inline scripts that carry its nonce, and none that came in by another way", async () => {
    answer = ({ nonce }) =>
      page(
        `<link rel="modulepreload" nonce="${nonce}"><p>Tip of <script>steal()</script></p>
         <script nonce="guessed">steal(2)</script><script type="module">steal(3)</script>
         <script nonce="${nonce}">start("now")</script><script nonce="${nonce}" src="/a.js"></script>
         <script type="later" nonce="${nonce}">later()</script>`,
      );
    const response = await app.request(aPath());
    const scripts = /script-src ([^;]*)/.exec(
      response.headers.get("Content-Security-Policy") ?? "",
    )?.[1];
    const hashOf = (text: string) =>
      `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(scripts).toBe(`'self' ${hashOf('start("now")')} ${hashOf("later()")}`);
    const html = await response.text();
    expect(html).toContain('<script>start("now")</script><script src="/a.js"></script>');
    expect(html.match(/nonce=/g)).toHaveLength(1);
  });

  it("allows scripts by its nonce where it is not cached", async () => {
    answer = ({ nonce }) => page(`<script nonce="${nonce}">start()</script>`, {}, 404);
    for (const path of [aPath(), "/uncached"]) {
      const response = await app.request(path);
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      const nonce = /script-src 'self' 'nonce-([^']{22})';/.exec(policy)?.[1];
      expect(await response.text()).toBe(`<script nonce="${nonce}">start()</script>`);
    }
  });

  it("is the same page whatever unknown parameters its address has, and in whatever order", async () => {
    const urls: string[] = [];
    answer = ({ url }) => {
      urls.push(new URL(url).pathname + new URL(url).search);
      return page("one");
    };
    const path = aPath();
    for (const query of ["", "?utm_source=x", "?a=1&b=2", "?Venue=vaal", "?venu=vaal"])
      await app.request(path + query);
    for (const query of [
      "?venue=vaal&page=2",
      "?page=2&venue=vaal",
      "?page=2&x=y&venue=vaal&venue=greyville",
    ])
      await app.request(path + query);
    expect(urls).toEqual([path, `${path}?venue=vaal&page=2`]);
  });

  it("tells apart what its known parameters say", async () => {
    answer = ({ url }) => page(new URL(url).search);
    const path = aPath();
    for (const query of ["?venue=vaal", "?venue=greyville", "?venue=", "?page=1"])
      expect(await (await app.request(path + query)).text()).toBe(query);
    expect(renders).toBe(4);
  });

  it("is evicted by no number of addresses with a query, and these only by each other", async () => {
    answer = () => page("kept");
    const path = aPath();
    await app.request(path);
    await app.request(`${path}?page=0`);
    for (let count = 1; count <= 99; count += 1) await app.request(`${path}?page=${count}`);
    await app.request(`${path}?page=0`);
    expect(renders).toBe(101);
    for (let count = 100; count <= 500; count += 1) await app.request(`${path}?page=${count}`);
    renders = 0;
    await app.request(path);
    expect(renders).toBe(0);
    await app.request(`${path}?page=0`);
    expect(renders).toBe(1);
  });

  it("is not cached at an address longer than any link", async () => {
    answer = () => page("x");
    const path = aPath();
    const atLimit = `${path}?venue=${"v".repeat(300 - `${path}?venue=`.length)}`;
    for (const url of [atLimit, atLimit, `${atLimit}v`, `${atLimit}v`]) await app.request(url);
    expect(renders).toBe(3);
  });

  it("is not cached where its parameters are not known, and has its whole query", async () => {
    answer = ({ url }) => page(new URL(url).search);
    for (const query of ["?token=1", "?token=1", "?token=2"])
      expect(await (await app.request(`/uncached${query}`)).text()).toBe(query);
    expect(renders).toBe(3);
  });

  it("is not kept as fresh when a notice came while it was being rendered", async () => {
    const path = aPath();
    let release = () => {};
    answer = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return page("before the notice");
    };
    const first = app.request(path);
    await vi.waitFor(() => expect(renders).toBe(1));
    await announce("race-cards");
    release();
    expect(await (await first).text()).toBe("before the notice");
    answer = () => page("after the notice");
    await vi.waitFor(async () =>
      expect(await (await app.request(path)).text()).toBe("after the notice"),
    );
    expect(renders).toBe(2);
  });

  it.each(["race-cards", "leaderboard"] as const)(
    "is rendered again after a notice of %s",
    async (notice) => {
      const path = aPath();
      answer = () => page("before");
      await app.request(path);
      await announce(notice);
      answer = () => page("after");
      await vi.waitFor(async () => expect(await (await app.request(path)).text()).toBe("after"));
      expect(renders).toBe(2);
    },
  );

  it("is compressed moderately at first and thoroughly once it is requested again", async () => {
    const html = Array.from({ length: 4_000 }, (_, n) => `<p>Race ${(n * 7_919) % 1_009}</p>`).join(
      "",
    );
    answer = () => page(html);
    for (const encoding of ["br", "gzip"]) {
      const path = aPath();
      const ask = () => app.request(path, { headers: { "Accept-Encoding": encoding } });
      const first = await ask();
      const firstBytes = (await first.arrayBuffer()).byteLength;
      await ask();
      const thorough = await vi.waitFor(async () => {
        const response = await ask();
        const bytes = Buffer.from(await response.clone().arrayBuffer());
        expect(bytes.byteLength).toBeLessThan(firstBytes);
        return { response, bytes };
      });
      const unpack = encoding === "br" ? brotliDecompressSync : gunzipSync;
      expect(unpack(thorough.bytes).toString()).toBe(html);
      expect(thorough.response.headers.get("ETag")).toBe(first.headers.get("ETag"));
      expect(thorough.response.headers.get("Content-Length")).toBe(`${thorough.bytes.byteLength}`);
    }
    expect(renders).toBe(2);
  });

  it("is compressed thoroughly at once in its next version, where it is popular", async () => {
    const race = (n: number) => `<p>Race ${(n * 7_919) % 1_009}</p>`;
    const version = (first: number) =>
      Array.from({ length: 4_000 }, (_, n) => race(first + n)).join("");
    const ask = async (path: string) => {
      const response = await app.request(path, { headers: { "Accept-Encoding": "br" } });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { size: bytes.byteLength, html: brotliDecompressSync(bytes).toString() };
    };
    const sizeOf = async (html: string, effort: "moderate" | "thorough") =>
      (await compress(Buffer.from(html), "br", effort)).byteLength;
    const popular = aPath();
    answer = () => page(version(0));
    await ask(popular);
    await ask(popular);
    answer = () => page(version(1));
    await announce("race-cards");
    // The first answer of the new version counts: a page requested again would be thorough anyway.
    const first = await vi.waitFor(async () => {
      const answered = await ask(popular);
      expect(answered.html).toBe(version(1));
      return answered;
    });
    expect(first.size).toBe(await sizeOf(version(1), "thorough"));
    expect(first.size).not.toBe(await sizeOf(version(1), "moderate"));
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
