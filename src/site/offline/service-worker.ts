import {
  cleanupOutdatedCaches,
  matchPrecache,
  type PrecacheEntry,
  precacheAndRoute,
} from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { COPY_HEADER, MY_DAY_PATH, OFFLINE_PAGE } from "#platform/offline.ts";
import { deleteCopies, listCopies, readCopy, readCopyAge, trackRequest } from "./copies.ts";

/**
 * The files that the offline pages need, with their names in this release. bin/build-worker.ts
 * replaces this constant.
 */
declare const PRECACHED_FILES: PrecacheEntry[];

/** The parts of the service worker API that are used here; the DOM types do not include them. */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = ExtendableEvent & {
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

/** Requests after which the viewer may be another person or a guest. */
const VIEWER_CHANGE_PATH =
  /^\/(login|logout|api\/sign-(in|out)|profile\/(sign-out-everywhere|delete|password))(\.data)?$/;
const NETWORK_TIMEOUT_MS = 6_000;
/** The age at which a data request refreshes the copy of its page. */
const REFRESH_AGE_MS = 10 * 60_000;
/** The age at which the copy of My day is too old to be for today. */
const MY_DAY_AGE_MS = 12 * 60 * 60_000;

precacheAndRoute(PRECACHED_FILES, { directoryIndex: "", cleanURLs: false });
cleanupOutdatedCaches();

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => {
  const { navigationPreload } = worker.registration;
  // Firefox shows its own error page when a preload fails, even if the worker responds. The
  // setting outlives a worker, so it is disabled explicitly.
  const preload = /Firefox\//.test(worker.navigator.userAgent)
    ? navigationPreload?.disable()
    : // Requests the page while the worker starts.
      navigationPreload?.enable();
  (event as ExtendableEvent).waitUntil(Promise.all([preload, worker.clients.claim()]));
});

// Only observes these requests; does not respond to them.
worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  if (request.method === "GET" || !VIEWER_CHANGE_PATH.test(new URL(request.url).pathname)) return;
  (event as FetchEvent).waitUntil(deleteCopies());
});

registerRoute(
  ({ request, sameOrigin }) => sameOrigin && request.mode === "navigate",
  async ({ event, request, url }) => {
    const path = url.pathname + url.search;
    const { saveIfAllowed } = trackRequest();
    const response = (async () => {
      const networkResponse =
        (await (event as FetchEvent).preloadResponse) ?? (await fetch(request));
      event.waitUntil(saveIfAllowed(path, networkResponse.clone()));
      return networkResponse;
    })();
    event.waitUntil(response.catch(() => {}));
    try {
      return (await readCopyAfterTimeout(path, response)) ?? (await response);
    } catch {
      const copy = await readCopy(path);
      if (copy) return copy;
      // The home page is not saved. The copy of My day replaces it on that day.
      const hasMyDay = path === "/" && (await readCopyAge(MY_DAY_PATH)) < MY_DAY_AGE_MS;
      return hasMyDay ? Response.redirect(MY_DAY_PATH) : await renderOfflinePage(path);
    }
  },
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.endsWith(".data"),
  async ({ event, request, url }) => {
    const { applyOwner } = trackRequest();
    const response = await fetch(request);
    const isReadableOffline = response.ok && response.headers.has(COPY_HEADER) && url.search === "";
    event.waitUntil(
      applyOwner(response).then(async () => {
        const path = url.pathname.replace(/\.data$/, "");
        if (isReadableOffline && (await readCopyAge(path)) > REFRESH_AGE_MS) await savePage(path);
      }),
    );
    return response;
  },
);

/** Handles messages of a page: `keep` saves a path, `forget` reports an offline logout. */
worker.addEventListener("message", (event) => {
  const { keep, forget } = (event as MessageEvent).data ?? {};
  if (typeof keep === "string") (event as unknown as ExtendableEvent).waitUntil(savePage(keep));
  if (forget === true) (event as unknown as ExtendableEvent).waitUntil(deleteCopies());
});

/** Requests a page and saves it if the response allows it. */
async function savePage(path: string): Promise<void> {
  const { saveIfAllowed } = trackRequest();
  try {
    await saveIfAllowed(path, await fetch(path, { headers: { Accept: "text/html" } }));
  } catch {
    // Offline: nothing to save.
  }
}

/** Returns the copy of a page when its response exceeds the timeout, otherwise null. */
async function readCopyAfterTimeout(
  path: string,
  response: Promise<Response>,
): Promise<Response | null> {
  const timeout = new Promise<"timeout">((resolve) =>
    setTimeout(resolve, NETWORK_TIMEOUT_MS, "timeout"),
  );
  return (await Promise.race([response, timeout])) === "timeout" ? await readCopy(path) : null;
}

/** Returns the offline page with links to the copies. */
async function renderOfflinePage(requestedPath: string): Promise<Response> {
  const page = await matchPrecache(OFFLINE_PAGE);
  if (!page) return Response.error();
  const copies = await listCopies();
  const links = copies.map(
    ({ path, title }) => `<li><a href="${escapeAttribute(path)}">${title}</a></li>`,
  );
  const body = (await page.text())
    // Its scripts expect another URL.
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replaceAll(`href="${OFFLINE_PAGE}"`, `href="${escapeAttribute(requestedPath)}"`)
    .replace("<html ", `<html ${links.length > 0 ? "data-has-copies " : ""}`)
    .replace(
      /(<ul data-copies[^>]*>)[\s\S]*?(<\/ul>)/,
      (_all, start, end) => start + links.join("") + end,
    );
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(body, { headers });
}

/** Escapes a URL for an attribute. Quotes are percent-encoded in it already. */
function escapeAttribute(path: string): string {
  return path.replaceAll("&", "&amp;");
}
