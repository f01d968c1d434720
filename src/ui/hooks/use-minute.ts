import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/**
 * Returns the current time, updated every minute. It starts from the server's time, so that server
 * and hydration render the same time and the viewer's clock is not used.
 */
export function useMinute(serverTime: Date): Date {
  const start = serverTime.getTime();
  const [minute, setMinute] = useState({ start, at: start });

  useEffect(() => {
    const startedAt = performance.now();
    const getCurrentMs = () => start + performance.now() - startedAt;
    let timer: ReturnType<typeof setTimeout>;
    const scheduleTick = () => {
      timer = setTimeout(
        () => {
          setMinute({ start, at: getCurrentMs() });
          scheduleTick();
        },
        MINUTE_MS - (getCurrentMs() % MINUTE_MS) + 5,
      );
    };
    scheduleTick();
    return () => clearTimeout(timer);
  }, [start]);

  return new Date(minute.start === start ? minute.at : start);
}
