import { formatInstant } from "#domain/calendar.ts";
import { COPIES_CACHE, COPY_HEADER, NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";

/** The cache key of the owner entry, which identifies the session that saved the copies. */
const OWNER_KEY = "/copies-of";
const READ_AT_HEADER = "Offline-Read-At";
const MAX_COPIES = 25;

/** Incremented when the copies are deleted, so that responses to earlier requests are not saved. */
let generation = 0;

/** Deletes every copy. */
export async function deleteCopies(): Promise<void> {
  generation += 1;
  await caches.delete(COPIES_CACHE);
}

/** Must be called before a request is sent. The returned functions process its response. */
export function trackRequest() {
  const requestGeneration = generation;

  /** Deletes the copies of another owner. Returns the owner, or null for a guest or no header. */
  async function applyOwner(response: Response): Promise<string | null> {
    const owner = response.headers.get(OWNER_HEADER);
    if (!owner || requestGeneration !== generation) return null;
    const previousOwner = await (
      await caches.match(OWNER_KEY, { cacheName: COPIES_CACHE })
    )?.text();
    if (owner === NO_OWNER || (previousOwner && previousOwner !== owner)) await deleteCopies();
    return owner === NO_OWNER ? null : owner;
  }

  /** Applies the owner, and saves the page if the response allows it. */
  async function saveIfAllowed(path: string, response: Response): Promise<void> {
    const owner = await applyOwner(response);
    if (!owner || !response.ok || !response.headers.has(COPY_HEADER)) return;
    const saveGeneration = generation;
    const body = await response.text();
    const headers = new Headers(response.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    headers.set(READ_AT_HEADER, new Date().toISOString());
    if (saveGeneration !== generation) return;
    const copies = await caches.open(COPIES_CACHE);
    await copies.put(OWNER_KEY, new Response(owner));
    // Deleted first, because the cache lists entries in insertion order, oldest first.
    await copies.delete(path);
    await copies.put(path, new Response(body, { headers }));
    await saveStylesheets(copies, body);
    await deleteOldCopies(copies);
    // The viewer signed out during the write.
    if (saveGeneration !== generation) await caches.delete(COPIES_CACHE);
  }

  return { applyOwner, saveIfAllowed };
}

/** Saves the stylesheets of a copy, because it outlives its release. */
async function saveStylesheets(copies: Cache, html: string): Promise<void> {
  for (const href of findStylesheets(html)) {
    if (await copies.match(href)) continue;
    const response = await caches.match(href).then((cached) => cached ?? fetch(href));
    if (response.ok) await copies.put(href, response);
  }
}

function findStylesheets(body: string): string[] {
  return [...body.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].flatMap(
    ([tag]) => /href="([^"#]+)/.exec(tag)?.[1] ?? [],
  );
}

async function deleteOldCopies(copies: Cache): Promise<void> {
  const paths = await listPaths(copies);
  const stale = paths.slice(0, Math.max(0, paths.length - MAX_COPIES));
  for (const path of stale) await copies.delete(path);
  const usedStylesheets = new Set<string>();
  for (const path of paths.slice(stale.length))
    for (const href of findStylesheets((await (await copies.match(path))?.text()) ?? ""))
      usedStylesheets.add(href);
  for (const { url } of await copies.keys()) {
    const path = new URL(url).pathname;
    if (path.endsWith(".css") && !usedStylesheets.has(path)) await copies.delete(url);
  }
}

async function listPaths(copies: Cache): Promise<string[]> {
  const keys = await copies.keys();
  return keys
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname !== OWNER_KEY && !pathname.endsWith(".css"))
    .map(({ pathname, search }) => pathname + search);
}

/** Returns the age of a copy in milliseconds, or infinity if there is none. */
export async function readCopyAge(path: string): Promise<number> {
  const copy = await caches.match(path, { cacheName: COPIES_CACHE });
  const readAt = copy?.headers.get(READ_AT_HEADER);
  return readAt ? Date.now() - new Date(readAt).getTime() : Number.POSITIVE_INFINITY;
}

/** Returns the copy of a page, marked as a copy with its date, or null if there is none. */
export async function readCopy(path: string): Promise<Response | null> {
  const copy = await caches.match(path, { cacheName: COPIES_CACHE });
  const readAt = copy?.headers.get(READ_AT_HEADER);
  if (!copy || !readAt) return null;
  const html = (await copy.text())
    .replace("<html ", "<html data-copy ")
    .replace(/(<time data-read-at[^>]*>)[^<]*/, `$1${formatInstant(new Date(readAt))}`);
  return new Response(html, { headers: copy.headers });
}

/** Returns the paths and HTML-escaped titles of the copies, newest first. */
export async function listCopies(): Promise<{ path: string; title: string }[]> {
  if (!(await caches.has(COPIES_CACHE))) return [];
  const copies = await caches.open(COPIES_CACHE);
  const paths = await listPaths(copies);
  const entries = await Promise.all(
    paths.map(async (path) => {
      const body = (await (await copies.match(path))?.text()) ?? "";
      const title = /<title[^>]*>([^<]*)/.exec(body)?.[1]?.replace(/ \| Furlong$/, "");
      return { path, title: title || path };
    }),
  );
  return entries.reverse();
}
