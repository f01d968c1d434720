import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/**
 * Returns the current time, updated every minute. It starts from the server's time, so that server
 * and hydration render the same time and the viewer's clock is not used.
 */
export function useMinute(from: Date): Date {
  const start = from.getTime();
  const [ticked, setTicked] = useState({ start, at: start });

  useEffect(() => {
    const began = performance.now();
    const current = () => start + performance.now() - began;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(
        () => {
          setTicked({ start, at: current() });
          wait();
        },
        MINUTE_MS - (current() % MINUTE_MS) + 5,
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [start]);

  return new Date(ticked.start === start ? ticked.at : start);
}
