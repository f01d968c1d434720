// Optional features of the browser. Their mere use throws where the user or an embedding app has blocked
// cookies, and some embedded browsers have none of them. The functions return null then, or do nothing.

function attempt<Value>(read: () => Value | null | undefined): Value | null {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}

/** Opens a channel to the other tabs of this browser. */
export function openChannel(name: string): BroadcastChannel | null {
  return attempt(() => new BroadcastChannel(name));
}

/** Returns the storage that lasts (`local`) or ends with the tab (`session`). Its methods may still throw. */
export function findStorage(kind: "local" | "session"): Storage | null {
  return attempt(() => (kind === "local" ? localStorage : sessionStorage));
}

/** Returns the stored text. */
export function readStored(kind: "local" | "session", key: string): string | null {
  return attempt(() => findStorage(kind)?.getItem(key));
}

/** Stores a text, or removes it if it is null. */
export function writeStored(kind: "local" | "session", key: string, text: string | null): void {
  const storage = findStorage(kind);
  attempt(() => (text === null ? storage?.removeItem(key) : storage?.setItem(key, text)));
}

/** Returns the browser's service workers. */
export function findServiceWorkers(): ServiceWorkerContainer | null {
  return attempt(() => navigator.serviceWorker);
}

/** Sends a message to the service worker that controls this page. */
export function postToServiceWorker(message: object): void {
  attempt(() => findServiceWorkers()?.controller?.postMessage(message));
}

/**
 * Deletes all that scripts can delete from this browser: both storages, the cookies that scripts can see,
 * and the offline copies, including one that the service worker is still writing.
 */
export function clearBrowserData(): void {
  for (const kind of ["local", "session"] as const) attempt(() => findStorage(kind)?.clear());
  for (const cookie of attempt(() => document.cookie)?.split(";") ?? []) {
    const [name = ""] = cookie.trim().split("=");
    attempt(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: older browsers have no Cookie Store API
      document.cookie = `${name}=; Path=/; Max-Age=0`;
    });
  }
  postToServiceWorker({ forget: true });
}
