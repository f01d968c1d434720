import { useEffect, useSyncExternalStore } from "react";
import { broadcastSessionChange } from "../session-sync.ts";

const STORAGE_KEY = "furlong-logout-pending";
const RETRY_INTERVAL_MS = 15_000;

type LogoutState = "none" | "pending" | "done";

let state: LogoutState | null = null;
const listeners = new Set<() => void>();

/**
 * Logs out while offline: clears the browser's storage and records that the session must still be
 * ended. Scripts cannot delete the session cookie.
 */
export function queueSignOut(): void {
  clearStorage();
  try {
    localStorage.setItem(STORAGE_KEY, "1");
  } catch {
    // Without storage, the state lasts until the page is closed.
  }
  setState("pending");
  broadcastSessionChange();
}

/** Returns the state of an offline logout, and ends the session as soon as the server responds. */
export function usePendingLogout(): LogoutState {
  const current = useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    readState,
    () => "none" as const,
  );
  useEffect(() => {
    if (current !== "pending") return;
    const retrySignOut = () => void endSession();
    retrySignOut();
    const timer = setInterval(retrySignOut, RETRY_INTERVAL_MS);
    window.addEventListener("online", retrySignOut);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", retrySignOut);
    };
  }, [current]);
  return current;
}

function readState(): LogoutState {
  state ??= isStored() ? "pending" : "none";
  return state;
}

function isStored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
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
    return; // Still offline.
  }
  clearStorage();
  setState("done");
  broadcastSessionChange();
}

function clearStorage(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Storage is unavailable.
  }
  // Deletes the offline copies, including one that the service worker is still writing.
  navigator.serviceWorker?.controller?.postMessage({ forget: true });
}
