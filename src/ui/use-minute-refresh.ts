import { useEffect, useRef } from "react";
import { useRefresh } from "./use-refresh.ts";

/** Revalidates the visible page once a minute while `isWaiting`. `now` is the time of `useMinute`. */
export function useMinuteRefresh(now: Date, isWaiting: boolean): void {
  const refresh = useRefresh();
  // A refresh sets the time to the server's, which must not cause another refresh.
  const minute = Math.floor(now.getTime() / 60_000);
  const lastMinute = useRef(minute);
  useEffect(() => {
    if (minute <= lastMinute.current) return;
    lastMinute.current = minute;
    if (isWaiting && document.visibilityState === "visible") void refresh();
  }, [isWaiting, minute, refresh]);
}
