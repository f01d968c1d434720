import { createHash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { onNotice } from "#platform/notify.server.ts";
import {
  acceptedEncoding,
  compress,
  compressed,
  type Effort,
  type Encoding,
} from "./compress.server.ts";
import type { HttpContext } from "./http.server.ts";
import { contentSecurityPolicy } from "./security-headers.server.ts";

/** A cached page in one encoding, with its headers. */
type EncodedPage = {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
};
/** A page that is the same for every guest. */
type CachedPage = {
  encoded: Map<Encoding, { page: Promise<EncodedPage>; isThorough: boolean }>;
  body: Uint8Array;
  etag: string;
  headers: Record<string, string>;
  /** Requested more than once, in this version or the one before: worth thorough compression at once. */
  isPopular: boolean;
  madeAt: number;
  freshUntil: number;
};

/**
 * Renders the page at this address. Each script that the product itself writes into the page must carry
 * the nonce; no other script will run.
 */
export type RenderGuestPage = (page: { url: string; nonce: string }) => Promise<Response>;

/** Addresses with a query have a share of their own, so that invented ones evict no other page. */
const MAX_PAGES = 300;
const MAX_PAGES_WITH_QUERY = 100;
/** Longer addresses are rendered each time: no link of ours leads to one. */
const MAX_KEY_LENGTH = 300;
const ASK_AGAIN_AFTER_MS = 1_000;
/** A page older than this is not sent while a new one is rendered: the guest waits for the new one. */
const TOO_OLD_MS = 60_000;

const pages = new LRUCache<string, CachedPage>({ max: MAX_PAGES });
const pagesWithQuery = new LRUCache<string, CachedPage>({ max: MAX_PAGES_WITH_QUERY });
const rendering = new Map<string, Promise<CachedPage | Response>>();
let generation = 0;
let isCompressingThoroughly = false;

function markStale() {
  generation += 1;
  for (const cache of [pages, pagesWithQuery])
    for (const page of cache.values()) page.freshUntil = 0;
}
onNotice("race-cards", markStale);
onNotice("leaderboard", markStale);

/**
 * Answers a request for a page without a session. A page that sends `s-maxage` is rendered once, kept for
 * that time or until a notice says that its content has changed, and sent from memory. While a new one is
 * rendered the previous one is sent, unless it is older than a minute.
 *
 * `knownParams` are the query parameters that change the page; others reach neither the key nor the
 * page. With null the page is never cached and is rendered with its whole query.
 */
export async function cachedGuestPage(
  c: HttpContext,
  knownParams: readonly string[] | null,
  render: RenderGuestPage,
): Promise<Response> {
  const key = knownParams && cacheKey(c.req.url, knownParams);
  if (!key || key.length > MAX_KEY_LENGTH)
    return await compressed(await renderOnce(c.req.url, render), c.req.header("accept-encoding"));
  const cached = cacheOf(key).get(key);
  if (cached && cached.freshUntil > Date.now()) return await send(c, cached);
  const url = new URL(key, c.req.url).href;
  const pending = rendering.get(key);
  const renewed = pending ?? renew(key, url, render);
  if (cached && Date.now() - cached.madeAt < TOO_OLD_MS) {
    // Nothing waits for this rendering; the next request tries again after an error.
    renewed.catch(() => {});
    return await send(c, cached);
  }
  const page = await renewed;
  if (!(page instanceof Response)) return await send(c, page);
  // A page that is not cached belongs to the request that was rendered.
  const own = pending ? await renderOnce(url, render) : page;
  return await compressed(own, c.req.header("accept-encoding"));
}

/** Path and known parameters, each once and in a fixed order, so that one page has one key. */
function cacheKey(address: string, knownParams: readonly string[]): string {
  // Nearly every request for a cached page has no query, and is answered faster than a URL is parsed.
  if (!address.includes("?")) return address.slice(address.indexOf("/", "https://".length));
  const { pathname, searchParams } = new URL(address);
  const known = new URLSearchParams();
  for (const name of knownParams) {
    const value = searchParams.get(name);
    if (value !== null) known.set(name, value);
  }
  return known.size > 0 ? `${pathname}?${known}` : pathname;
}

function cacheOf(key: string): LRUCache<string, CachedPage> {
  return key.includes("?") ? pagesWithQuery : pages;
}

function renew(key: string, url: string, render: RenderGuestPage) {
  const startedIn = generation;
  const made = renderAndCache(key, url, render, startedIn).finally(() => rendering.delete(key));
  rendering.set(key, made);
  return made;
}

async function renderAndCache(
  key: string,
  url: string,
  render: RenderGuestPage,
  startedIn: number,
): Promise<CachedPage | Response> {
  const nonce = newNonce();
  const response = await render({ url, nonce });
  const seconds = /\bs-maxage=(\d+)/.exec(response.headers.get("Cache-Control") ?? "")?.[1];
  const isCacheable = seconds && response.status === 200 && !response.headers.has("Set-Cookie");
  const previous = cacheOf(key).get(key);
  if (previous && response.status >= 500) {
    // Guests go on reading the previous page until a new one can be rendered.
    previous.freshUntil = Date.now() + ASK_AGAIN_AFTER_MS;
    return previous;
  }
  if (!isCacheable) {
    cacheOf(key).delete(key);
    return answerUncached(response, nonce);
  }
  const { body, hashes } = withoutNonce(await response.text(), nonce);
  const page: CachedPage = {
    encoded: new Map(),
    body,
    etag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
    headers: {
      ...Object.fromEntries(response.headers),
      "content-security-policy": contentSecurityPolicy({ hashes }),
      // The browser asks each time and gets 304 while nothing has changed.
      "cache-control": "private, no-cache",
      vary: "Cookie, Accept-Encoding",
    },
    madeAt: Date.now(),
    // Home is the first page of most guests, on the slowest connections.
    isPopular: key === "/" || previous?.isPopular === true,
    // What a notice has changed since the rendering began may be missing from it.
    freshUntil: startedIn === generation ? Date.now() + Number(seconds) * 1000 : 0,
  };
  cacheOf(key).set(key, page);
  return page;
}

/** Renders a page for this request alone: a refusal, the answer to a form, a redirect. */
async function renderOnce(url: string, render: RenderGuestPage): Promise<Response> {
  const nonce = newNonce();
  return answerUncached(await render({ url, nonce }), nonce);
}

function answerUncached(response: Response, nonce: string): Response {
  const headers = new Headers(response.headers);
  headers.set("Cache-Control", "no-store");
  if (headers.get("Content-Type")?.startsWith("text/html"))
    headers.set("Content-Security-Policy", contentSecurityPolicy({ nonce }));
  return new Response(response.body, { status: response.status, headers });
}

/** Without padding or signs that HTML escapes, so that it is found in the page as it was given. */
function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The page without its nonce, and the hashes of the inline scripts that carried it. A script that came
 * into the page in any other way has no nonce, so its hash is not allowed.
 */
function withoutNonce(html: string, nonce: string): { body: Uint8Array; hashes: string[] } {
  const attribute = ` nonce="${nonce}"`;
  const ownScript = new RegExp(
    `<script\\b(?![^>]*\\bsrc=)[^>]*${attribute}[^>]*>([\\s\\S]*?)</script>`,
    "g",
  );
  const hashes = [...html.matchAll(ownScript)].map(([, text = ""]) =>
    createHash("sha256").update(text).digest("base64"),
  );
  return { body: Buffer.from(html.replaceAll(attribute, "")), hashes };
}

async function send(c: HttpContext, page: CachedPage): Promise<Response> {
  const { body, headers } = await encodedFor(
    page,
    acceptedEncoding(c.req.header("accept-encoding")),
  );
  if (c.req.header("if-none-match") === headers.etag) {
    const { "content-length": _, "content-encoding": __, ...unchanged } = headers;
    return new Response(null, { status: 304, headers: unchanged });
  }
  return new Response(c.req.method === "HEAD" ? null : body, { headers });
}

/**
 * The page in this encoding. The first answer is compressed moderately, unless the page is popular; a page
 * that is requested again is worth 37 ms of Brotli, spent once, beside the answer, one page at a time.
 */
async function encodedFor(page: CachedPage, encoding: Encoding): Promise<EncodedPage> {
  const known = page.encoded.get(encoding);
  if (!known) {
    const isThorough = page.isPopular || encoding === "identity";
    const first = encode(page, encoding, isThorough ? "thorough" : "moderate");
    page.encoded.set(encoding, { page: first, isThorough });
    return await first;
  }
  if (!known.isThorough && !isCompressingThoroughly) {
    isCompressingThoroughly = true;
    page.isPopular = true;
    encode(page, encoding, "thorough")
      .then((thorough) =>
        page.encoded.set(encoding, { page: Promise.resolve(thorough), isThorough: true }),
      )
      // The moderate one stays good enough.
      .catch(() => {})
      .finally(() => {
        isCompressingThoroughly = false;
      });
  }
  return await known.page;
}

async function encode(page: CachedPage, encoding: Encoding, effort: Effort): Promise<EncodedPage> {
  const body = (await compress(page.body, encoding, effort)) as Uint8Array<ArrayBuffer>;
  return {
    body,
    headers: {
      ...page.headers,
      // Weak: the same page compressed at either effort is the same page.
      etag: `W/"${page.etag}-${encoding}"`,
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
      "content-length": String(body.byteLength),
    },
  };
}
