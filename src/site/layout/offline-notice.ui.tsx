import { WifiOff } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { queueSignOut } from "#accounts/accounts.ui.tsx";
import { deliveryMessage, type FailedSubmission } from "#ui/forms/delivery-message.ts";
import { useFormDelivery } from "#ui/forms/form-delivery.ts";
import { useRefresh } from "#ui/use-refresh.ts";

/** An offline logout clears this browser's data immediately and ends the session later. */
const FAILURE_HANDLERS = { "/logout": queueSignOut };

const BANNER = "items-center justify-center gap-2 px-4 py-2 text-sm";
const INFO_BANNER = `${BANNER} bg-ink text-paper`;
const ERROR_BANNER = `${BANNER} flex bg-danger text-on-danger`;

function subscribe(onChange: () => void) {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/**
 * Renders a banner at the bottom of the window while the browser is offline or after a form could
 * not be delivered. On an offline copy it shows when the page was loaded. Reloads the page's data
 * when the browser is online again.
 */
export function OfflineNotice() {
  const refresh = useRefresh();
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => {
    const page = document.documentElement;
    page.toggleAttribute("data-offline", !isOnline);
    if (!isOnline || !page.hasAttribute("data-copy")) return;
    refresh().then((isRefreshed) => {
      if (isRefreshed) page.removeAttribute("data-copy");
    });
  }, [isOnline, refresh]);
  const failedSubmission = useFormDelivery(FAILURE_HANDLERS);
  const hasReconnected = useHasReconnected(isOnline, failedSubmission);
  const banner = useBannerHeight();

  return (
    // aria-live is set explicitly because an open dialog hides everything else from screen readers.
    <div
      ref={banner}
      role="status"
      aria-live="polite"
      className={`fixed inset-x-0 bottom-0 ${failedSubmission ? "z-60" : "z-30"}`}
    >
      <p className={`${INFO_BANNER} hidden [html[data-copy]_&]:flex`}>
        <WifiOff className="size-4 shrink-0" aria-hidden="true" />
        <span>
          Saved copy from{" "}
          <time data-read-at suppressHydrationWarning>
            an earlier visit
          </time>
        </span>
      </p>
      {failedSubmission && !hasReconnected ? (
        <p className={ERROR_BANNER}>
          <WifiOff className="size-5 shrink-0" aria-hidden="true" />
          <span>{deliveryMessage(failedSubmission)}</span>
        </p>
      ) : null}
      {failedSubmission && hasReconnected ? (
        <p className={`${INFO_BANNER} flex`}>
          You're back online.{failedSubmission.hasFields ? " What you typed is still here." : ""}{" "}
          Please try again.
        </p>
      ) : null}
      {isOnline || failedSubmission ? null : (
        <p className={`${INFO_BANNER} flex [html[data-copy]_&]:hidden`}>
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          You're offline. This page may be out of date.
        </p>
      )}
    </div>
  );
}

/** Returns whether the browser is online again after a form could not be delivered. */
function useHasReconnected(isOnline: boolean, failedSubmission: FailedSubmission | null): boolean {
  const [formWhenOffline, setFormWhenOffline] = useState<FailedSubmission | null>(null);
  if (!isOnline && failedSubmission !== formWhenOffline) setFormWhenOffline(failedSubmission);
  return isOnline && failedSubmission !== null && formWhenOffline === failedSubmission;
}

/** Sets the banner's height as the CSS variable `--offline-notice-height`, so that it covers no button. */
function useBannerHeight() {
  const banner = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = banner.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty(
        "--offline-notice-height",
        `${element.offsetHeight}px`,
      ),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return banner;
}
