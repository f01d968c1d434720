import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { publishUpdate } from "#platform/notify.server.ts";
import { compress } from "./compress.server.ts";
import type { HttpEnv } from "./http.server.ts";
import { cachedGuestPage, getCachedGuestPage, type RenderGuestPage } from "./page-cache.server.ts";

let renders = 0;
let render: (pageRequest: Parameters<RenderGuestPage>[0]) => Response | Promise<Response>;
const app = new Hono<HttpEnv>();
app.get("*", (c) =>
  cachedGuestPage(
    c,
    c.req.path.startsWith("/uncached") ? null : ["venue", "page"],
    async (pageRequest) => {
      renders += 1;
      return await render(pageRequest);
    },
  ),
);

const respondWithHtml = (html: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(html, {
    status,
    headers: { "Content-Type": "text/html", "Cache-Control": "s-maxage=20", ...headers },
  });
let pages = 0;
const uniquePath = () => {
  pages += 1;
  return `/page-${pages}`;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  renders = 0;
});
afterEach(() => vi.useRealTimers());

describe("cachedGuestPage", () => {
  it("renders once for concurrent requests and while the page is fresh", async () => {
    render = () => respondWithHtml("<p>Today</p>");
    const path = uniquePath();
    await Promise.all(Array.from({ length: 20 }, () => app.request(path)));
    expect(await (await app.request(path)).text()).toBe("<p>Today</p>");
    expect(renders).toBe(1);
  });

  it("serves the stale page while it revalidates, for at most one minute", async () => {
    const path = uniquePath();
    render = () => respondWithHtml("one");
    await app.request(path);
    vi.advanceTimersByTime(21_000);
    render = () => respondWithHtml("two");
    expect(await (await app.request(path)).text()).toBe("one");
    await expect.poll(async () => await (await app.request(path)).text()).toBe("two");
    vi.advanceTimersByTime(61_000);
    render = () => respondWithHtml("three");
    expect(await (await app.request(path)).text()).toBe("three");
  });

  it("serves the stale page while rendering fails", async () => {
    const path = uniquePath();
    render = () => respondWithHtml("stale");
    await app.request(path);
    vi.advanceTimersByTime(3_600_000);
    render = () => respondWithHtml("unavailable", {}, 503);
    const response = await app.request(path);
    expect([response.status, await response.text()]).toEqual([200, "stale"]);
  });

  it("allows inline scripts that carry its nonce, and no injected scripts", async () => {
    render = ({ nonce }) =>
      respondWithHtml(
        `<link rel="modulepreload" nonce="${nonce}"><p>Tip of <script>steal()</script></p>
         <script nonce="guessed">steal(2)</script><script type="module">steal(3)</script>
         <script nonce="${nonce}">start("now")</script><script nonce="${nonce}" src="/a.js"></script>
         <script type="later" nonce="${nonce}">later()</script>`,
      );
    const response = await app.request(uniquePath());
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

  it("allows scripts by nonce when the page is not cached", async () => {
    render = ({ nonce }) => respondWithHtml(`<script nonce="${nonce}">start()</script>`, {}, 404);
    for (const path of [uniquePath(), "/uncached"]) {
      const response = await app.request(path);
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      const nonce = /script-src 'self' 'nonce-([^']{22})';/.exec(policy)?.[1];
      expect(await response.text()).toBe(`<script nonce="${nonce}">start()</script>`);
    }
  });

  it("ignores unknown parameters and the order of parameters in the cache key", async () => {
    const urls: string[] = [];
    render = ({ url }) => {
      urls.push(new URL(url).pathname + new URL(url).search);
      return respondWithHtml("one");
    };
    const path = uniquePath();
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

  it("caches one page per value of a known parameter", async () => {
    render = ({ url }) => respondWithHtml(new URL(url).search);
    const path = uniquePath();
    for (const query of ["?venue=vaal", "?venue=greyville", "?venue=", "?page=1"])
      expect(await (await app.request(path + query)).text()).toBe(query);
    expect(renders).toBe(4);
  });

  it("keeps a page without a query while URLs with a query evict each other", async () => {
    render = () => respondWithHtml("stale");
    const path = uniquePath();
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

  it("does not cache a URL longer than 300 characters", async () => {
    render = () => respondWithHtml("x");
    const path = uniquePath();
    const atLimit = `${path}?venue=${"v".repeat(300 - `${path}?venue=`.length)}`;
    for (const url of [atLimit, atLimit, `${atLimit}v`, `${atLimit}v`]) await app.request(url);
    expect(renders).toBe(3);
  });

  it("does not cache a route without known parameters, and passes on its full query", async () => {
    render = ({ url }) => respondWithHtml(new URL(url).search);
    for (const query of ["?token=1", "?token=1", "?token=2"])
      expect(await (await app.request(`/uncached${query}`)).text()).toBe(query);
    expect(renders).toBe(3);
  });

  it("marks a page as stale when an update arrives while it is rendered", async () => {
    const path = uniquePath();
    let release = () => {};
    render = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return respondWithHtml("before the update");
    };
    const first = app.request(path);
    await expect.poll(() => renders).toBe(1);
    await publishUpdate("race-cards");
    release();
    expect(await (await first).text()).toBe("before the update");
    render = () => respondWithHtml("after the update");
    await expect.poll(async () => await (await app.request(path)).text()).toBe("after the update");
    expect(renders).toBe(2);
  });

  it.each(["race-cards", "standings"] as const)(
    "renders again after an update of %s",
    async (topic) => {
      const path = uniquePath();
      render = () => respondWithHtml("before");
      await app.request(path);
      await publishUpdate(topic);
      render = () => respondWithHtml("after");
      await expect.poll(async () => await (await app.request(path)).text()).toBe("after");
      expect(renders).toBe(2);
    },
  );

  it("compresses moderately at first, and thoroughly after a second request", async () => {
    const html = Array.from({ length: 4_000 }, (_, n) => `<p>Race ${(n * 7_919) % 1_009}</p>`).join(
      "",
    );
    render = () => respondWithHtml(html);
    for (const encoding of ["br", "gzip"]) {
      const path = uniquePath();
      const request = () => app.request(path, { headers: { "Accept-Encoding": encoding } });
      const first = await request();
      const firstBytes = (await first.arrayBuffer()).byteLength;
      await request();
      let [thorough, bytes] = [first, Buffer.alloc(0)];
      await expect
        .poll(async () => {
          thorough = await request();
          bytes = Buffer.from(await thorough.arrayBuffer());
          return bytes.byteLength;
        })
        .toBeLessThan(firstBytes);
      const decompress = encoding === "br" ? brotliDecompressSync : gunzipSync;
      expect(decompress(bytes).toString()).toBe(html);
      expect(thorough.headers.get("ETag")).toBe(first.headers.get("ETag"));
      expect(thorough.headers.get("Content-Length")).toBe(`${bytes.byteLength}`);
    }
    expect(renders).toBe(2);
  });

  it("compresses the next version of a popular page thoroughly at first", async () => {
    const race = (n: number) => `<p>Race ${(n * 7_919) % 1_009}</p>`;
    const version = (first: number) =>
      Array.from({ length: 4_000 }, (_, n) => race(first + n)).join("");
    const request = async (path: string) => {
      const response = await app.request(path, { headers: { "Accept-Encoding": "br" } });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { size: bytes.byteLength, html: brotliDecompressSync(bytes).toString() };
    };
    const measureCompressedSize = async (html: string, effort: "moderate" | "thorough") =>
      (await compress(Buffer.from(html), "br", effort)).byteLength;
    const popular = uniquePath();
    render = () => respondWithHtml(version(0));
    await request(popular);
    await request(popular);
    render = () => respondWithHtml(version(1));
    await publishUpdate("race-cards");
    // Checks the first response of the new version: later ones would be thorough anyway.
    let first = await request(popular);
    while (first.html !== version(1)) first = await request(popular);
    expect(first.size).toBe(await measureCompressedSize(version(1), "thorough"));
    expect(first.size).not.toBe(await measureCompressedSize(version(1), "moderate"));
  });

  it("returns a compressed page, and 304 when the ETag matches", async () => {
    render = () => respondWithHtml("a page ".repeat(1000));
    const path = uniquePath();
    const first = await app.request(path, { headers: { "Accept-Encoding": "br, gzip" } });
    expect(first.headers.get("Content-Encoding")).toBe("br");
    const body = brotliDecompressSync(Buffer.from(await first.arrayBuffer())).toString();
    expect(body).toBe("a page ".repeat(1000));
    const revalidated = await app.request(path, {
      headers: { "Accept-Encoding": "br, gzip", "If-None-Match": first.headers.get("ETag") ?? "" },
    });
    expect([revalidated.status, await revalidated.text()]).toEqual([304, ""]);
    expect(first.headers.get("Vary")).toContain("Cookie");
  });

  it.each([
    ["has no s-maxage", () => respondWithHtml("x", { "Cache-Control": "private" })],
    ["sets a cookie", () => respondWithHtml("x", { "Set-Cookie": "a=b" })],
    ["has status 404", () => respondWithHtml("x", {}, 404)],
  ])("does not cache a response that %s", async (_, respond) => {
    render = respond;
    const path = uniquePath();
    const responses = await Promise.all([app.request(path), app.request(path), app.request(path)]);
    expect(renders).toBe(3);
    for (const response of responses) {
      expect(await response.text()).toBe("x");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
  });
});

describe("getCachedGuestPage", () => {
  /** Requests a page until it is completely compressed. */
  async function prepare(path: string) {
    await expect
      .poll(async () => {
        await app.request(path);
        return getCachedGuestPage(path, {});
      })
      .not.toBeNull();
  }
  const bodyOf = (path: string) => {
    const body = getCachedGuestPage(path, {})?.body;
    return body ? Buffer.from(body).toString() : null;
  };

  it.each(["race-cards", "standings"] as const)(
    "returns nothing after an update of %s until the page is rendered again",
    async (topic) => {
      const path = uniquePath();
      render = () => respondWithHtml("before");
      await prepare(path);
      expect(bodyOf(path)).toBe("before");
      await publishUpdate(topic);
      expect(bodyOf(path)).toBeNull();
      render = () => respondWithHtml("after");
      await prepare(path);
      expect(bodyOf(path)).toBe("after");
    },
  );

  it("returns nothing when an update arrives while the page is rendered", async () => {
    const path = uniquePath();
    render = async () => {
      await publishUpdate("race-cards");
      return respondWithHtml("before the update");
    };
    await app.request(path);
    await app.request(path);
    expect(bodyOf(path)).toBeNull();
  });

  it("returns nothing once the page has expired", async () => {
    const path = uniquePath();
    render = () => respondWithHtml("one");
    await prepare(path);
    vi.advanceTimersByTime(21_000);
    expect(bodyOf(path)).toBeNull();
  });

  it("returns nothing for a page with a query, an unknown page or a page that is not cached", async () => {
    const path = uniquePath();
    render = () => respondWithHtml("one");
    await prepare(path);
    await app.request("/uncached");
    await app.request(`${path}?venue=vaal`);
    for (const target of [`${path}?`, `${path}?venue=vaal`, `${path}?x=y`, "/uncached", "/other"])
      expect(getCachedGuestPage(target, {}), target).toBeNull();
  });

  it("returns the encoding that the client accepts", async () => {
    const path = uniquePath();
    render = () => respondWithHtml("a page ".repeat(1000));
    for (const encoding of ["br", "gzip", "identity"]) {
      const headers = { "accept-encoding": encoding };
      await expect
        .poll(async () => {
          await app.request(path, { headers });
          return getCachedGuestPage(path, headers);
        })
        .not.toBeNull();
      const cachedResponse = getCachedGuestPage(path, headers);
      expect(cachedResponse?.headers.includes("content-encoding")).toBe(encoding !== "identity");
      expect(cachedResponse?.headers).toContain(String(cachedResponse?.body?.byteLength));
    }
  });
});
