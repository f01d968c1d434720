import { createHash } from "node:crypto";
import { acceptedEncoding, compress, compressed, type Encoding } from "./compress.server.ts";
import type { HttpContext } from "./http.server.ts";
import { onNotice } from "./notify.server.ts";
import { contentSecurityPolicy } from "./security-headers.server.ts";

/** What is sent for a page in one encoding, put together once. */
type ReadyAnswer = { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };
/** A page that is the same for every guest, ready to be sent. */
type KeptPage = {
  answers: Map<Encoding, Promise<ReadyAnswer>>;
  body: Uint8Array;
  etag: string;
  headers: Record<string, string>;
  madeAt: number;
  freshUntil: number;
};

const MAX_PAGES = 400;
const ASK_AGAIN_AFTER_MS = 1_000;
/** Where nobody has come by for so long, the next guest waits for a page of now. */
const TOO_OLD_MS = 60_000;
const INLINE_SCRIPT = /<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

const pages = new Map<string, KeptPage>();
const rendering = new Map<string, Promise<KeptPage | Response>>();
let generation = 0;

function makeStale() {
  generation += 1;
  for (const page of pages.values()) page.freshUntil = 0;
}
onNotice("race-cards", makeStale);
onNotice("leaderboard", makeStale);

/**
 * Answers a guest's page. One that says `s-maxage` is rendered once, kept compressed for so long or
 * until something of it changes, and sent from memory; while it is made anew, what there is is sent,
 * unless that is older than a minute.
 * The inline scripts of a guest's page are allowed by their hashes, so that it can be kept.
 */
export async function guestPage(
  c: HttpContext,
  render: () => Promise<Response>,
): Promise<Response> {
  const key = c.req.url.slice(c.req.url.indexOf("/", 8));
  const kept = pages.get(key);
  if (kept && kept.freshUntil > Date.now()) return await send(c, kept);
  const underWay = rendering.get(key);
  const made = underWay ?? renew(key, render);
  if (kept && Date.now() - kept.madeAt < TOO_OLD_MS) {
    // Whoever waits for nothing waits for no error either: the next guest asks again.
    made.catch(() => {});
    return await send(c, kept);
  }
  const page = await made;
  if (!(page instanceof Response)) return await send(c, page);
  // What is not kept was made for the one who asked first.
  const own = underWay ? await answerOnce(await render()) : page;
  return await compressed(own, c.req.header("accept-encoding"));
}

function renew(key: string, render: () => Promise<Response>) {
  const startedIn = generation;
  const made = keep(key, render, startedIn).finally(() => rendering.delete(key));
  rendering.set(key, made);
  return made;
}

async function keep(
  key: string,
  render: () => Promise<Response>,
  startedIn: number,
): Promise<KeptPage | Response> {
  const response = await render();
  const seconds = /\bs-maxage=(\d+)/.exec(response.headers.get("Cache-Control") ?? "")?.[1];
  const isKept = seconds && response.status === 200 && !response.headers.has("Set-Cookie");
  const before = pages.get(key);
  if (before && response.status >= 500) {
    // What guests could read a moment ago they can go on reading until it can be made anew.
    before.freshUntil = Date.now() + ASK_AGAIN_AFTER_MS;
    return before;
  }
  if (!isKept) {
    pages.delete(key);
    return await answerOnce(response);
  }
  const body = new Uint8Array(await response.arrayBuffer());
  const page: KeptPage = {
    answers: new Map(),
    body,
    etag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
    headers: {
      ...Object.fromEntries(response.headers),
      "content-security-policy": contentSecurityPolicy({ hashes: scriptHashes(body) }),
      // The browser asks each time and is told 304 while nothing has changed.
      "cache-control": "private, no-cache",
      vary: "Cookie, Accept-Encoding",
    },
    madeAt: Date.now(),
    freshUntil: startedIn === generation ? Date.now() + Number(seconds) * 1000 : 0,
  };
  if (pages.size >= MAX_PAGES) pages.delete(pages.keys().next().value as string);
  pages.delete(key);
  pages.set(key, page);
  return page;
}

/** A guest's page that is nobody else's: a refusal, a form's answer, a way on. */
async function answerOnce(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set("Cache-Control", "no-store");
  if (!headers.get("Content-Type")?.startsWith("text/html"))
    return new Response(response.body, { status: response.status, headers });
  const body = new Uint8Array(await response.arrayBuffer());
  headers.set("Content-Security-Policy", contentSecurityPolicy({ hashes: scriptHashes(body) }));
  return new Response(body, { status: response.status, headers });
}

function scriptHashes(body: Uint8Array): string[] {
  const html = new TextDecoder().decode(body);
  return [...html.matchAll(INLINE_SCRIPT)].map(([, text]) =>
    createHash("sha256")
      .update(text ?? "")
      .digest("base64"),
  );
}

async function send(c: HttpContext, page: KeptPage): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header("accept-encoding"));
  let ready = page.answers.get(encoding);
  if (!ready) {
    ready = makeReady(page, encoding);
    page.answers.set(encoding, ready);
  }
  const { body, headers } = await ready;
  if (c.req.header("if-none-match") === headers.etag) {
    const { "content-length": _, "content-encoding": __, ...unchanged } = headers;
    return new Response(null, { status: 304, headers: unchanged });
  }
  return new Response(c.req.method === "HEAD" ? null : body, { headers });
}

async function makeReady(page: KeptPage, encoding: Encoding): Promise<ReadyAnswer> {
  const body = (await compress(page.body, encoding, "thorough")) as Uint8Array<ArrayBuffer>;
  return {
    body,
    headers: {
      ...page.headers,
      etag: `"${page.etag}-${encoding}"`,
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
      "content-length": String(body.byteLength),
    },
  };
}
