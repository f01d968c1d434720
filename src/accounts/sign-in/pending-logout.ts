import { useEffect, useSyncExternalStore } from "react";
import { clearBrowserData, readStored, writeStored } from "#platform/browser-features.ts";
import { broadcastSessionChange } from "../session-sync.ts";

const STORAGE_KEY = "furlong-logout-pending";
const RETRY_INTERVAL_MS = 15_000;

type LogoutState = "none" | "pending" | "done";

let state: LogoutState | null = null;
const listeners = new Set<() => void>();

/**
 * Logs out without an answer of the server: clears the browser's data and records that the session must
 * still be ended. Scripts cannot delete the session cookie.
 */
export function queueSignOut(): void {
  clearBrowserData();
  // Without storage, the state lasts until the page is closed.
  writeStored("local", STORAGE_KEY, "1");
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
  state ??= readStored("local", STORAGE_KEY) === null ? "none" : "pending";
  return state;
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
  clearBrowserData();
  setState("done");
  broadcastSessionChange();
}
