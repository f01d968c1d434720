import { useEffect } from "react";
import { type DataStrategyResult, type MiddlewareFunction, useLocation } from "react-router";
import { readStored, writeStored } from "#platform/browser-features.ts";
import { NEXT_PAGE_KEY } from "#platform/storage-keys.ts";

type Results = Record<string, DataStrategyResult>;

/** The page of the link that was clicked last. Loads of dialogs and forms are for other addresses. */
let clickedPage: string | null = null;

/**
 * Remembers the page of a clicked link until it is shown. React Router reloads the current page, and does not return,
 * when the server no longer has the modules of the next one, as after a release. Used in the root route's
 * `clientMiddleware`.
 */
export const rememberNextPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const { pathname, search } = new URL(request.url);
  const page = pathname + search;
  if (request.method !== "GET" || page !== clickedPage) return;
  writeStored("session", NEXT_PAGE_KEY, page);
  const results = await next();
  if (readStored("session", NEXT_PAGE_KEY) === page) writeStored("session", NEXT_PAGE_KEY, null);
  return results;
};

/** Loads the page that a reload interrupted. */
export function useInterruptedNavigation(): void {
  const location = useLocation();
  useEffect(() => {
    const nextPage = readStored("session", NEXT_PAGE_KEY);
    const [document] = performance.getEntriesByType("navigation");
    const isReload = (document as PerformanceNavigationTiming | undefined)?.type === "reload";
    if (isReload && nextPage) window.location.replace(nextPage);
    const rememberClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest("a") : null;
      clickedPage = link && !("dialog" in link.dataset) ? link.pathname + link.search : null;
    };
    window.addEventListener("click", rememberClick, true);
    return () => window.removeEventListener("click", rememberClick, true);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page than the clicked one was shown
  useEffect(() => writeStored("session", NEXT_PAGE_KEY, null), [location]);
}
