import { useEffect, useState } from "react";
import type { Fetcher } from "react-router";

/** How long a redirect to another site may take before its form can be sent again. */
const LEAVING_MS = 10_000;

/**
 * Returns whether a form whose response leads to another site is being sent or the browser is leaving the page. React
 * Router never ends such a fetcher, so this ends when the browser shows the page again (Back), and ten seconds after the
 * response if the page is still open (Stop). The form keeps its idempotency key, which returns the same payment page.
 */
export function useLeavingPage(state: Fetcher["state"]): boolean {
  const [hasStayed, setHasStayed] = useState(false);
  useEffect(() => {
    if (state !== "loading") return;
    const stay = () => setHasStayed(true);
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && stay();
    const timer = setTimeout(stay, LEAVING_MS);
    window.addEventListener("pageshow", onPageShow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pageshow", onPageShow);
      setHasStayed(false);
    };
  }, [state]);
  return state !== "idle" && !hasStayed;
}
