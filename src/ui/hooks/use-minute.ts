import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/**
 * An instant that moves on with the minute, from the one the server sent: the same on the server and
 * on the first paint, and not the viewer's own clock.
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
