import {
  cleanupOutdatedCaches,
  matchPrecache,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { KEEP_HEADER, OFFLINE_PAGE } from "#platform/offline.ts";
import { ageOfCopy, deleteCopies, listCopies, readCopy, watch } from "./copies.ts";

/** What bin/build-worker.ts writes here: the files that every page needs, by their names of this release. */
declare const SHELL: PrecacheEntry[];

/** As much of the worker's own world as is used here; the pages' types do not know it. */
type LastingEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = LastingEvent & {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
};
type Worker = EventTarget & {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  navigator: { userAgent: string };
  registration: {
    navigationPreload?: { enable(): Promise<void>; disable(): Promise<void> };
  };
};
const worker = self as unknown as Worker;

/** Someone else may be here afterwards, or nobody. */
const CHANGES_VIEWER =
  /^\/(login|logout|api\/sign-(in|out)|profile\/(sign-out-everywhere|delete|password))(\.data)?$/;
const GIVE_UP_AFTER_MS = 6_000;
/** A page whose data is read again and again is kept anew now and then. */
const KEPT_ANEW_AFTER_MS = 10 * 60_000;

precacheAndRoute(SHELL, { directoryIndex: "", cleanURLs: false });
cleanupOutdatedCaches();

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => {
  const { navigationPreload } = worker.registration;
  // Firefox shows its own error page when a preload fails, whatever the worker answers. The setting
  // outlives a worker, so it is switched off there for what an earlier release switched on.
  const preload = /Firefox\//.test(worker.navigator.userAgent)
    ? navigationPreload?.disable()
    : // The page is requested while the worker starts, not after.
      navigationPreload?.enable();
  (event as LastingEvent).waitUntil(Promise.all([preload, worker.clients.claim()]));
});

// Nothing that is sent passes through here; it is only seen going by.
worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  if (request.method === "GET" || !CHANGES_VIEWER.test(new URL(request.url).pathname)) return;
  (event as FetchEvent).waitUntil(deleteCopies());
});

registerRoute(
  ({ request, sameOrigin }) => sameOrigin && request.mode === "navigate",
  async ({ event, request, url }) => {
    const path = url.pathname + url.search;
    const { settle } = watch();
    const asked = (async () => {
      const answer = (await (event as FetchEvent).preloadResponse) ?? (await fetch(request));
      event.waitUntil(settle(path, answer.clone()));
      return answer;
    })();
    event.waitUntil(asked.catch(() => {}));
    try {
      return (await tooLate(path, asked)) ?? (await asked);
    } catch {
      return (await readCopy(path)) ?? (await offlinePage(path));
    }
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.endsWith(".data"),
  async ({ event, request, url }) => {
    const { settleOwner } = watch();
    const answer = await fetch(request);
    const isKept = answer.ok && answer.headers.has(KEEP_HEADER) && url.search === "";
    event.waitUntil(
      settleOwner(answer).then(async () => {
        const path = url.pathname.replace(/\.data$/, "");
        if (isKept && (await ageOfCopy(path)) > KEPT_ANEW_AFTER_MS) await keepPage(path);
      }),
    );
    return answer;
  },
);

/**
 * A page says that what it shows, or what was just opened on it, is worth keeping; or that someone
 * logged out without a connection.
 */
worker.addEventListener("message", (event) => {
  const { keep, forget } = (event as MessageEvent).data ?? {};
  if (typeof keep === "string") (event as unknown as LastingEvent).waitUntil(keepPage(keep));
  if (forget === true) (event as unknown as LastingEvent).waitUntil(deleteCopies());
});

/** Asks for the page itself; whether it is kept is for the answer to say. */
async function keepPage(path: string): Promise<void> {
  const { settle } = watch();
  try {
    await settle(path, await fetch(path, { headers: { Accept: "text/html" } }));
  } catch {
    // Without a connection there is nothing to keep.
  }
}

/** The copy of a page whose answer takes longer than anyone waits; null where it came, or none is kept. */
async function tooLate(path: string, asked: Promise<Response>): Promise<Response | null> {
  const late = new Promise<"late">((done) => setTimeout(done, GIVE_UP_AFTER_MS, "late"));
  return (await Promise.race([asked, late])) === "late" ? await readCopy(path) : null;
}

/** The page of no connection, with the way to what can be read all the same. */
async function offlinePage(asked: string): Promise<Response> {
  const page = await matchPrecache(OFFLINE_PAGE);
  if (!page) return Response.error();
  const copies = await listCopies();
  const links = copies.map(
    ({ path, title }) => `<li><a href="${asAttribute(path)}">${title}</a></li>`,
  );
  const body = (await page.text())
    // It stands under another address than its scripts know.
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replaceAll(`href="${OFFLINE_PAGE}"`, `href="${asAttribute(asked)}"`)
    .replace("<html ", `<html ${links.length > 0 ? "data-has-copies " : ""}`)
    .replace(
      /(<ul data-copies[^>]*>)[\s\S]*?(<\/ul>)/,
      (_all, start, end) => start + links.join("") + end,
    );
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(body, { headers });
}

/** An address as it stands between quotes; what else could end them, it has encoded already. */
function asAttribute(path: string): string {
  return path.replaceAll("&", "&amp;");
}
