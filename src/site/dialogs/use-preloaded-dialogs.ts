import { useEffect } from "react";

const DELAY_MS = 3_000;

/** Loads toasts and dialogs a few seconds after the page, so that they also work offline. */
export function usePreloadedDialogs(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setTimeout(() => {
      Promise.all([
        import("#ui/notifications/toast-region.tsx"),
        import("#ui/notifications/notification-dialog.tsx"),
        import("./dialogs.ui.tsx").then(({ preloadDialogs }) => preloadDialogs()),
      ]).catch(() => {
        // They are loaded again on demand.
      });
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [isNeeded]);
}
