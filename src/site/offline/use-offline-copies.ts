import { useEffect } from "react";
import { findServiceWorkers } from "#platform/browser-features.ts";
import { COPIES_CACHE } from "#platform/offline.ts";

const DELAY_MS = 4_000;
const SAVED_PATHS = /^\/(my-cards|my-day|race-cards\/[^/]+)$/;

/**
 * Registers the service worker that makes opened race cards readable offline, a few seconds after
 * the first page. Must be called once, in the site layout.
 */
export function useOfflineCopies(isSignedIn: boolean): void {
  useEffect(() => {
    const serviceWorker = findServiceWorkers();
    if (!serviceWorker || import.meta.env.DEV) return;
    const timer = setTimeout(async () => {
      const isFirstVisit = !serviceWorker.controller;
      try {
        await serviceWorker.register("/service-worker.js");
        if (!isFirstVisit || !isSignedIn) return;
        const { active } = await serviceWorker.ready;
        // The worker was not active yet when this page loaded.
        if (SAVED_PATHS.test(location.pathname)) active?.postMessage({ keep: location.pathname });
      } catch {
        // Without a service worker everything but offline reading works.
      }
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn]);
}

/** Returns whether the service worker has offline copies: of this page, or of others that its offline page lists. */
export async function hasCopies(): Promise<boolean> {
  try {
    if (!("caches" in globalThis) || !findServiceWorkers()?.controller) return false;
    return await caches.has(COPIES_CACHE);
  } catch {
    return false;
  }
}
