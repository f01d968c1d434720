import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/**
 * Returns the current time, updated every minute. It starts from the server's time, so that server
 * and hydration render the same time and the viewer's clock is not used.
 */
export function useMinute(from: Date): Date {
  const start = from.getTime();
  const [minute, setMinute] = useState({ start, at: start });

  useEffect(() => {
    const startedAt = performance.now();
    const current = () => start + performance.now() - startedAt;
    let timer: ReturnType<typeof setTimeout>;
    const scheduleTick = () => {
      timer = setTimeout(
        () => {
          setMinute({ start, at: current() });
          scheduleTick();
        },
        MINUTE_MS - (current() % MINUTE_MS) + 5,
      );
    };
    scheduleTick();
    return () => clearTimeout(timer);
  }, [start]);

  return new Date(minute.start === start ? minute.at : start);
}
