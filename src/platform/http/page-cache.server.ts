import { createHash, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import { onUpdate } from "#platform/notify.server.ts";
import { NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";
import { type CachedResponse, withSecurityHeaders } from "./cached-responses.server.ts";
import {
  compress,
  compressResponse,
  type Effort,
  type Encoding,
  negotiateEncoding,
} from "./compress.server.ts";
import type { HttpContext } from "./http.server.ts";
import { buildContentSecurityPolicy } from "./security-headers.server.ts";

/** A cached page in one encoding, with its headers. */
type EncodedPage = {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  /** The responses to a request without and with the matching ETag. */
  responses: { whole: CachedResponse; unchanged: CachedResponse };
};
/** A page that is the same for every guest. */
type CachedPage = {
  encoded: Map<
    Encoding,
    {
      page: Promise<EncodedPage>;
      /** The same page once it is compressed thoroughly, so that it needs no further work. */
      finished: EncodedPage | null;
      isThorough: boolean;
    }
  >;
  body: Uint8Array;
  etag: string;
  headers: Record<string, string>;
  /**
   * Whether this or the previous version was requested more than once. Popular pages are
   * compressed thoroughly for their first response.
   */
  isPopular: boolean;
  renderedAt: number;
  freshUntil: number;
};

/**
 * Renders the page at a URL. Every inline script of the application must have the nonce; no other
 * script runs.
 */
export type RenderGuestPage = (page: { url: string; nonce: string }) => Promise<Response>;

/** Pages with a query have a separate cache, so that arbitrary queries cannot evict other pages. */
const MAX_PAGES = 300;
const MAX_PAGES_WITH_QUERY = 100;
/** Longer URLs are not cached. */
const MAX_KEY_LENGTH = 300;
const RETRY_AFTER_MS = 1_000;
/** The maximum age of a stale page that is served while a new version is rendered. */
const MAX_STALE_MS = 60_000;

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
onUpdate("race-cards", markStale);
onUpdate("standings", markStale);

/**
 * Serves a page to a guest. Caches a page with `s-maxage` for that time or until an update invalidates
 * it. While a new version is rendered, the stale one is served unless it is older than a minute.
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
    return await compressResponse(
      await renderOnce(c.req.url, render),
      c.req.header("accept-encoding"),
    );
  const cached = selectCache(key).get(key);
  if (cached && cached.freshUntil > Date.now()) return await respond(c, cached);
  const url = new URL(key, c.req.url).href;
  const pending = rendering.get(key);
  const nextVersion = pending ?? startRendering(key, url, render);
  if (cached && Date.now() - cached.renderedAt < MAX_STALE_MS) {
    // No request waits for this rendering. If it fails, the next request tries again.
    nextVersion.catch(() => {});
    return await respond(c, cached);
  }
  const page = await nextVersion;
  if (!(page instanceof Response)) return await respond(c, page);
  // An uncacheable page is sent only to the request it was rendered for.
  const response = pending ? await renderOnce(url, render) : page;
  return await compressResponse(response, c.req.header("accept-encoding"));
}

/**
 * Returns the response to a guest's GET request when the page at this target is cached, fresh and
 * completely compressed; null when `cachedGuestPage` must respond. Must not be called for a user.
 */
export function getCachedGuestPage(
  target: string,
  headers: IncomingHttpHeaders,
): CachedResponse | null {
  const page = pages.get(target);
  if (!page || page.freshUntil <= Date.now()) return null;
  const encoding = negotiateEncoding(headers["accept-encoding"]?.toString());
  const finished = page.encoded.get(encoding)?.finished;
  if (!finished) return null;
  const { whole, unchanged } = finished.responses;
  return headers["if-none-match"] === finished.headers.etag ? unchanged : whole;
}

/** Returns the path and the known parameters, each once and in a fixed order, so that one page has one key. */
function cacheKey(address: string, knownParams: readonly string[]): string {
  // Most requests have no query, and skipping URL parsing makes them faster.
  if (!address.includes("?")) return address.slice(address.indexOf("/", "https://".length));
  const { pathname, searchParams } = new URL(address);
  const cacheParams = new URLSearchParams();
  for (const name of knownParams) {
    const value = searchParams.get(name);
    if (value !== null) cacheParams.set(name, value);
  }
  return cacheParams.size > 0 ? `${pathname}?${cacheParams}` : pathname;
}

function selectCache(key: string): LRUCache<string, CachedPage> {
  return key.includes("?") ? pagesWithQuery : pages;
}

function startRendering(key: string, url: string, render: RenderGuestPage) {
  const rendered = renderAndCache(key, url, render, generation).finally(() =>
    rendering.delete(key),
  );
  rendering.set(key, rendered);
  return rendered;
}

async function renderAndCache(
  key: string,
  url: string,
  render: RenderGuestPage,
  generationAtStart: number,
): Promise<CachedPage | Response> {
  const nonce = createNonce();
  const response = await render({ url, nonce });
  const maxAgeSeconds = /\bs-maxage=(\d+)/.exec(response.headers.get("Cache-Control") ?? "")?.[1];
  const isCacheable =
    maxAgeSeconds && response.status === 200 && !response.headers.has("Set-Cookie");
  const previous = selectCache(key).get(key);
  if (previous && response.status >= 500) {
    // The previous page is served until a new one can be rendered.
    previous.freshUntil = Date.now() + RETRY_AFTER_MS;
    return previous;
  }
  if (!isCacheable) {
    selectCache(key).delete(key);
    return createUncachedResponse(response, nonce);
  }
  const { body, hashes } = removeNonce(await response.text(), nonce);
  const page: CachedPage = {
    encoded: new Map(),
    body,
    etag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
    headers: {
      ...Object.fromEntries(response.headers),
      "content-security-policy": buildContentSecurityPolicy({ hashes }),
      // The browser revalidates each time and gets 304 while nothing has changed.
      "cache-control": "private, no-cache",
      vary: "Cookie, Accept-Encoding",
      [OWNER_HEADER.toLowerCase()]: NO_OWNER,
    },
    renderedAt: Date.now(),
    // Home is the first page of most guests, on the slowest connections.
    isPopular: key === "/" || previous?.isPopular === true,
    // A change published since the rendering started may be missing from the page.
    freshUntil: generationAtStart === generation ? Date.now() + Number(maxAgeSeconds) * 1000 : 0,
  };
  selectCache(key).set(key, page);
  return page;
}

/** Renders a page for one request, without caching. */
async function renderOnce(url: string, render: RenderGuestPage): Promise<Response> {
  const nonce = createNonce();
  return createUncachedResponse(await render({ url, nonce }), nonce);
}

function createUncachedResponse(response: Response, nonce: string): Response {
  const headers = new Headers(response.headers);
  headers.set("Cache-Control", "no-store");
  if (headers.get("Content-Type")?.startsWith("text/html"))
    headers.set("Content-Security-Policy", buildContentSecurityPolicy({ nonce }));
  return new Response(response.body, { status: response.status, headers });
}

/**
 * Returns a nonce without characters that HTML escapes, so that it appears in the page unchanged.
 */
function createNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * Removes the nonce from a page and returns the hashes of the inline scripts that had it. An
 * injected script has no nonce, so its hash is not allowed.
 */
function removeNonce(html: string, nonce: string): { body: Uint8Array; hashes: string[] } {
  const attribute = ` nonce="${nonce}"`;
  const scriptWithNonce = new RegExp(
    `<script\\b(?![^>]*\\bsrc=)[^>]*${attribute}[^>]*>([\\s\\S]*?)</script>`,
    "g",
  );
  const hashes = [...html.matchAll(scriptWithNonce)].map(([, text = ""]) =>
    createHash("sha256").update(text).digest("base64"),
  );
  return { body: Buffer.from(html.replaceAll(attribute, "")), hashes };
}

async function respond(c: HttpContext, page: CachedPage): Promise<Response> {
  const { body, headers } = await readEncodedPage(
    page,
    negotiateEncoding(c.req.header("accept-encoding")),
  );
  if (c.req.header("if-none-match") === headers.etag)
    return new Response(null, { status: 304, headers: withoutBody(headers) });
  return new Response(c.req.method === "HEAD" ? null : body, { headers });
}

/**
 * Returns the page in an encoding. The first response is compressed moderately, unless the page is
 * popular. A second request triggers thorough compression (37 ms) in the background, one page at a
 * time.
 */
async function readEncodedPage(page: CachedPage, encoding: Encoding): Promise<EncodedPage> {
  const cached = page.encoded.get(encoding);
  if (!cached) {
    const isThorough = page.isPopular || encoding === "identity";
    const encoded = encode(page, encoding, isThorough ? "thorough" : "moderate");
    keepEncoded(page, encoding, encoded, isThorough);
    return await encoded;
  }
  if (!cached.isThorough && !isCompressingThoroughly) {
    isCompressingThoroughly = true;
    page.isPopular = true;
    encode(page, encoding, "thorough")
      .then((thorough) => keepEncoded(page, encoding, Promise.resolve(thorough), true))
      // The moderately compressed page is still served.
      .catch(() => {})
      .finally(() => {
        isCompressingThoroughly = false;
      });
  }
  return await cached.page;
}

function keepEncoded(
  page: CachedPage,
  encoding: Encoding,
  encoded: Promise<EncodedPage>,
  isThorough: boolean,
): void {
  const entry = { page: encoded, finished: null as EncodedPage | null, isThorough };
  page.encoded.set(encoding, entry);
  if (isThorough)
    encoded.then(
      (finished) => {
        entry.finished = finished;
      },
      () => {}, // the request that waits for it fails
    );
}

async function encode(page: CachedPage, encoding: Encoding, effort: Effort): Promise<EncodedPage> {
  const body = (await compress(page.body, encoding, effort)) as Uint8Array<ArrayBuffer>;
  const headers = {
    ...page.headers,
    // Weak, because the bytes differ by compression effort.
    etag: `W/"${page.etag}-${encoding}"`,
    ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    "content-length": String(body.byteLength),
  };
  return {
    body,
    headers,
    responses: {
      whole: { status: 200, headers: withSecurityHeaders(headers), body },
      unchanged: { status: 304, headers: withSecurityHeaders(withoutBody(headers)), body: null },
    },
  };
}

/** Returns the headers of a 304 response. */
function withoutBody(headers: Record<string, string>): Record<string, string> {
  const { "content-length": _, "content-encoding": __, ...unchanged } = headers;
  return unchanged;
}
