import { COPY_HEADER, NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";

const COPIES = "copies";
/** The cache key of the owner entry, which identifies the session that saved the copies. */
const OWNER = "/copies-of";
const READ_AT = "Offline-Read-At";
const MAX_COPIES = 25;

/** Incremented when the copies are deleted, so that responses to earlier requests are not saved. */
let generation = 0;

/** Deletes every copy. */
export async function deleteCopies(): Promise<void> {
  generation += 1;
  await caches.delete(COPIES);
}

/** Must be called before a request is sent. The returned functions process its response. */
export function trackRequest() {
  const requestGeneration = generation;

  /** Deletes the copies of another owner. Returns the owner, or null for a guest or no header. */
  async function applyOwner(response: Response): Promise<string | null> {
    const owner = response.headers.get(OWNER_HEADER);
    if (!owner || requestGeneration !== generation) return null;
    const before = await (await caches.match(OWNER, { cacheName: COPIES }))?.text();
    if (owner === NO_OWNER || (before && before !== owner)) await deleteCopies();
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
    headers.set(READ_AT, new Date().toISOString());
    if (saveGeneration !== generation) return;
    const copies = await caches.open(COPIES);
    await copies.put(OWNER, new Response(owner));
    // Deleted first, because the cache lists entries in insertion order, oldest first.
    await copies.delete(path);
    await copies.put(path, new Response(body, { headers }));
    await saveStylesheets(copies, body);
    await prune(copies);
    // The viewer signed out during the write.
    if (saveGeneration !== generation) await caches.delete(COPIES);
  }

  return { applyOwner, saveIfAllowed };
}

/** Saves the stylesheets of a copy, because it outlives its release. */
async function saveStylesheets(copies: Cache, body: string): Promise<void> {
  for (const href of stylesheetsOf(body)) {
    if (await copies.match(href)) continue;
    const sheet = await caches.match(href).then((cached) => cached ?? fetch(href));
    if (sheet.ok) await copies.put(href, sheet);
  }
}

function stylesheetsOf(body: string): string[] {
  return [...body.matchAll(/<link[^>]*rel="stylesheet"[^>]*>/g)].flatMap(
    ([tag]) => /href="([^"#]+)/.exec(tag)?.[1] ?? [],
  );
}

async function prune(copies: Cache): Promise<void> {
  const paths = await pathsIn(copies);
  const stale = paths.slice(0, Math.max(0, paths.length - MAX_COPIES));
  for (const path of stale) await copies.delete(path);
  const inUse = new Set<string>();
  for (const path of paths.slice(stale.length))
    for (const href of stylesheetsOf((await (await copies.match(path))?.text()) ?? ""))
      inUse.add(href);
  for (const { url } of await copies.keys()) {
    const path = new URL(url).pathname;
    if (path.endsWith(".css") && !inUse.has(path)) await copies.delete(url);
  }
}

async function pathsIn(copies: Cache): Promise<string[]> {
  const keys = await copies.keys();
  return keys
    .map(({ url }) => new URL(url))
    .filter(({ pathname }) => pathname !== OWNER && !pathname.endsWith(".css"))
    .map(({ pathname, search }) => pathname + search);
}

/** Returns the age of a copy in milliseconds, or infinity if there is none. */
export async function ageOfCopy(path: string): Promise<number> {
  const copy = await caches.match(path, { cacheName: COPIES });
  const readAt = copy?.headers.get(READ_AT);
  return readAt ? Date.now() - new Date(readAt).getTime() : Number.POSITIVE_INFINITY;
}

/** Returns the copy of a page, marked as a copy with its date, or null if there is none. */
export async function readCopy(path: string): Promise<Response | null> {
  const copy = await caches.match(path, { cacheName: COPIES });
  const readAt = copy?.headers.get(READ_AT);
  if (!copy || !readAt) return null;
  const marked = (await copy.text())
    .replace("<html ", "<html data-copy ")
    .replace(/(<time data-read-at[^>]*>)[^<]*/, `$1${formatInstant(readAt)}`);
  return new Response(marked, { headers: copy.headers });
}

function formatInstant(instant: string): string {
  return new Intl.DateTimeFormat("en-ZA", {
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "Africa/Johannesburg",
  }).format(new Date(instant));
}

/** Returns the paths and HTML-escaped titles of the copies, newest first. */
export async function listCopies(): Promise<{ path: string; title: string }[]> {
  if (!(await caches.has(COPIES))) return [];
  const copies = await caches.open(COPIES);
  const paths = await pathsIn(copies);
  const listed = await Promise.all(
    paths.map(async (path) => {
      const body = (await (await copies.match(path))?.text()) ?? "";
      const title = /<title[^>]*>([^<]*)/.exec(body)?.[1]?.replace(/ \| Furlong$/, "");
      return { path, title: title || path };
    }),
  );
  return listed.reverse();
}
