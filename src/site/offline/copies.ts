import { KEEP_HEADER, NO_OWNER, OWNER_HEADER } from "#platform/offline.ts";

const COPIES = "copies";
/** Not a page: the mark of the session whose copies these are. */
const OWNER = "/copies-of";
const READ_AT = "Offline-Read-At";
const MAX_COPIES = 25;

/** Raised by each emptying: what was asked for before it is not kept after it. */
let generation = 0;

/** Forgets every copy. */
export async function deleteCopies(): Promise<void> {
  generation += 1;
  await caches.delete(COPIES);
}

/** What becomes of the answers to one request, from the moment it is asked. */
export function watch() {
  const askedIn = generation;

  /** Forgets the copies of anybody else. An answer that does not say whose it is changes nothing. */
  async function settleOwner(answer: Response): Promise<string | null> {
    const owner = answer.headers.get(OWNER_HEADER);
    if (!owner || askedIn !== generation) return null;
    const before = await (await caches.match(OWNER, { cacheName: COPIES }))?.text();
    if (owner === NO_OWNER || (before && before !== owner)) await deleteCopies();
    return owner === NO_OWNER ? null : owner;
  }

  /** The same, and keeps the page where the answer asks for it. */
  async function settle(path: string, answer: Response): Promise<void> {
    const owner = await settleOwner(answer);
    if (!owner || !answer.ok || !answer.headers.has(KEEP_HEADER)) return;
    const keptIn = generation;
    const body = await answer.text();
    const headers = new Headers(answer.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    headers.set(READ_AT, new Date().toISOString());
    if (keptIn !== generation) return;
    const copies = await caches.open(COPIES);
    await copies.put(OWNER, new Response(owner));
    // Put anew, so that the oldest stand first.
    await copies.delete(path);
    await copies.put(path, new Response(body, { headers }));
    await keepLook(copies, body);
    await prune(copies);
    // Someone signed out while it was written.
    if (keptIn !== generation) await caches.delete(COPIES);
  }

  return { settleOwner, settle };
}

/** A copy outlives the release it was read in: its stylesheet stays with it. */
async function keepLook(copies: Cache, body: string): Promise<void> {
  for (const href of stylesheetsOf(body)) {
    if (await copies.match(href)) continue;
    const sheet = await caches.match(href).then((known) => known ?? fetch(href));
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

/** How long ago a page was kept, in milliseconds; infinitely where it was not. */
export async function ageOfCopy(path: string): Promise<number> {
  const copy = await caches.match(path, { cacheName: COPIES });
  const readAt = copy?.headers.get(READ_AT);
  return readAt ? Date.now() - new Date(readAt).getTime() : Number.POSITIVE_INFINITY;
}

/** The copy of a page, marked as one and with the moment it was read; null where there is none. */
export async function readCopy(path: string): Promise<Response | null> {
  const copy = await caches.match(path, { cacheName: COPIES });
  const readAt = copy?.headers.get(READ_AT);
  if (!copy || !readAt) return null;
  const marked = (await copy.text())
    .replace("<html ", "<html data-copy ")
    .replace(/(<time data-read-at[^>]*>)[^<]*/, `$1${asWords(readAt)}`);
  return new Response(marked, { headers: copy.headers });
}

function asWords(instant: string): string {
  return new Intl.DateTimeFormat("en-ZA", {
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "Africa/Johannesburg",
  }).format(new Date(instant));
}

/** What can be read without a connection, newest first: addresses and titles, as they stand in HTML. */
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
