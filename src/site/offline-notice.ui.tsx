import { WifiOff } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { useRefresh } from "#ui/use-refresh.ts";

const STRIP = "items-center justify-center gap-2 bg-ink px-4 py-2 text-sm text-paper";

function subscribe(onChange: () => void) {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

/**
 * A strip at the foot of the window while there is no connection: what is on the page stays readable.
 * On a copy that was kept for such times it says when the page was read; once there is a connection
 * again, the page is read anew and is no copy any more.
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
    refresh().then((isRead) => {
      if (isRead) page.removeAttribute("data-copy");
    });
  }, [isOnline, refresh]);

  return (
    <div role="status" className="fixed inset-x-0 bottom-0 z-30">
      <p className={`${STRIP} hidden [html[data-copy]_&]:flex`}>
        <WifiOff className="size-4 shrink-0" aria-hidden="true" />
        <span>
          Your copy, as of{" "}
          <time data-read-at suppressHydrationWarning>
            an earlier moment
          </time>
        </span>
      </p>
      {isOnline ? null : (
        <p className={`${STRIP} flex [html[data-copy]_&]:hidden`}>
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          No connection. What you see may be out of date.
        </p>
      )}
    </div>
  );
}
