import { useEffect, useState } from "react";
import { findStartMs, useIsDocumentTime } from "./use-is-document-time.ts";

const MINUTE_MS = 60_000;

/**
 * Returns the current time, updated every minute. It starts from the server's time, so that server
 * and hydration render the same time and the viewer's clock is not used.
 */
export function useMinute(serverTime: Date): Date {
  const start = serverTime.getTime();
  const [minute, setMinute] = useState({ start, at: start });
  const isDocumentTime = useIsDocumentTime(start);

  useEffect(() => {
    const startedAtMs = findStartMs(isDocumentTime);
    const getCurrentMs = () => start + Date.now() - startedAtMs;
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      setMinute({ start, at: getCurrentMs() });
      scheduleTick();
    };
    const scheduleTick = () => {
      timer = setTimeout(tick, MINUTE_MS - (getCurrentMs() % MINUTE_MS) + 5);
    };
    // The scripts may have started minutes after the document.
    if (toMinute(getCurrentMs()) > toMinute(start)) tick();
    else scheduleTick();
    return () => clearTimeout(timer);
  }, [start, isDocumentTime]);

  return new Date(minute.start === start ? minute.at : start);
}

function toMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}
