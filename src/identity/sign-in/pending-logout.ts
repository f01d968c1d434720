import { useEffect, useSyncExternalStore } from "react";
import { announceSession } from "../session-sync.ts";

const KEY = "furlong-logout-pending";
const RETRY_AFTER_MS = 15_000;

type LogoutState = "none" | "pending" | "done";

let state: LogoutState | null = null;
const listeners = new Set<() => void>();

/**
 * Logs out without a connection: clears what this browser has kept and remembers that the session is
 * still to be ended. The server cannot be told yet, and the session's cookie is out of reach of scripts.
 */
export function logOutLater(): void {
  clearStorage();
  try {
    localStorage.setItem(KEY, "1");
  } catch {
    // Where nothing can be stored, it is remembered until the page is closed.
  }
  setState("pending");
  announceSession();
}

/** Where a logout without a connection stands. Ends the session as soon as the server answers. */
export function usePendingLogout(): LogoutState {
  const current = useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    read,
    () => "none" as const,
  );
  useEffect(() => {
    if (current !== "pending") return;
    const end = () => void endSession();
    end();
    const timer = setInterval(end, RETRY_AFTER_MS);
    window.addEventListener("online", end);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", end);
    };
  }, [current]);
  return current;
}

function read(): LogoutState {
  state ??= isRemembered() ? "pending" : "none";
  return state;
}

function isRemembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function setState(next: LogoutState): void {
  state = next;
  for (const listener of listeners) listener();
}

async function endSession(): Promise<void> {
  try {
    const response = await fetch("/api/sign-out", { method: "POST" });
    if (!response.ok) return;
  } catch {
    return; // still no connection
  }
  clearStorage();
  setState("done");
  announceSession();
}

function clearStorage(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Nothing could be stored.
  }
  // The copies for reading offline; the worker must not finish keeping one.
  navigator.serviceWorker?.controller?.postMessage({ forget: true });
}
