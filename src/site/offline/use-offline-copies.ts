import { useEffect } from "react";

const WAIT_MS = 4_000;
const HAS_COPY = /^\/(my-cards|race-cards\/[^/]+)$/;

/**
 * Registers the worker that keeps what the viewer has opened readable without a connection, once the
 * first page has long been shown. Stands once, in the frame.
 */
export function useOfflineCopies(isSignedIn: boolean): void {
  useEffect(() => {
    if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
    const timer = setTimeout(async () => {
      const { serviceWorker } = navigator;
      const isFirst = !serviceWorker.controller;
      try {
        await serviceWorker.register("/service-worker.js");
        if (!isFirst || !isSignedIn) return;
        const { active } = await serviceWorker.ready;
        // It was not there yet to see this page arrive.
        if (HAS_COPY.test(location.pathname)) active?.postMessage({ keep: location.pathname });
      } catch {
        // Where a browser allows none, everything but reading without a connection works.
      }
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn]);
}

/** Whether this page can be read without a connection. */
export async function hasCopy(): Promise<boolean> {
  if (!("caches" in globalThis) || !navigator.serviceWorker?.controller) return false;
  return (await caches.match(location.pathname + location.search)) !== undefined;
}
