import { useEffect } from "react";
import { showToast } from "#ui/toast.tsx";
import { useRefresh } from "#ui/use-refresh.ts";

const CHANNEL = "furlong";
const REFRESH_AFTER_MS = 5_000;
/** This tab among the browser's: what it tells the others it has read itself already. */
const THIS_TAB = Math.random();

/** Tells this browser's other tabs that someone has signed in or out. */
export function announceSession(): void {
  announce();
}

/** Tells this browser's other tabs that the viewer holds another balance. */
export function announceBalance(): void {
  announce();
}

/** The others ask the server what is new: nothing of a person travels between tabs. */
function announce(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(THIS_TAB);
  channel.close();
}

/**
 * Reads the page anew when another tab tells of a change, and when someone who is signed in comes back
 * to the window. Stands once, in the frame.
 */
export function useSessionSync(isSignedIn: boolean): void {
  const refresh = useRefresh();

  useEffect(() => {
    if (typeof BroadcastChannel === "undefined") return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => {
      if (data !== THIS_TAB) void refresh();
    };
    return () => channel.close();
  }, [refresh]);

  useEffect(() => {
    if (!isSignedIn) return;
    let readAt = Date.now();
    const comeBack = async () => {
      if (document.hidden || Date.now() - readAt < REFRESH_AFTER_MS) return;
      readAt = Date.now();
      // Without a connection the page says so by itself.
      if ((await refresh()) || !navigator.onLine) return;
      showToast({
        type: "error",
        title: "Unable to read coin balance. Please refresh and try again.",
      });
    };
    window.addEventListener("focus", comeBack);
    // A phone's browser comes back without giving its window the focus.
    document.addEventListener("visibilitychange", comeBack);
    return () => {
      window.removeEventListener("focus", comeBack);
      document.removeEventListener("visibilitychange", comeBack);
    };
  }, [isSignedIn, refresh]);
}
