import { useEffect } from "react";
import type { DataStrategyResult, MiddlewareFunction } from "react-router";
import { readStored, writeStored } from "#platform/browser-features.ts";

const KEY = "furlong-next-page";

type Results = Record<string, DataStrategyResult>;

/**
 * Remembers the page whose data is loading until it is shown. React Router reloads the current page, and does not
 * return, when the server no longer has the modules of the next one, as after a release. Used in the root route's
 * `clientMiddleware`.
 */
export const rememberNextPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  if (request.method !== "GET") return;
  const { pathname, search } = new URL(request.url);
  writeStored("session", KEY, pathname + search);
  const results = await next();
  if (readStored("session", KEY) === pathname + search) writeStored("session", KEY, null);
  return results;
};

/** Loads the page that a reload interrupted. */
export function useInterruptedNavigation(): void {
  useEffect(() => {
    const nextPage = readStored("session", KEY);
    writeStored("session", KEY, null);
    const [document] = performance.getEntriesByType("navigation");
    const isReload = (document as PerformanceNavigationTiming | undefined)?.type === "reload";
    const { pathname, search } = window.location;
    if (isReload && nextPage && nextPage !== pathname + search) window.location.replace(nextPage);
  }, []);
}
