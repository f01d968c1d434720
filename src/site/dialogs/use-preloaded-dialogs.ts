import { useEffect } from "react";

const WAIT_MS = 3_000;

/**
 * Fetches what answers an act (toasts, questions, dialogs) once the page of someone who can act is at
 * rest, so that it is at hand where the connection is not.
 */
export function usePreloadedDialogs(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setTimeout(() => {
      Promise.all([
        import("#ui/notifications/toast-region.tsx"),
        import("#ui/notifications/notification-dialog.tsx"),
        import("./dialogs.ui.tsx").then(({ preloadDialogs }) => preloadDialogs()),
      ]).catch(() => {
        // They are fetched again when they are needed.
      });
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [isNeeded]);
}
