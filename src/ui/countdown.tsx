import { useEffect, useState } from "react";
import { classNames } from "./class-names.ts";

type CountdownProps = {
  /** The instant it runs to, ISO. */
  until: string;
  /** The server's instant when the page was made, ISO: the viewer's own clock is not trusted. */
  now: string;
  /** What is said when it has run out. */
  over?: string;
  className?: string;
};

function inWords(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, "0")} min`;
  if (minutes >= 10) return `${minutes} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Time left, ticking in the browser from what the server sent: hours and minutes, the last ten
 * minutes by the second. Its room is fixed, so nothing moves as it ticks.
 */
export function Countdown({ until, now, over = "Off", className }: CountdownProps) {
  const total = Math.max(0, Math.floor((Date.parse(until) - Date.parse(now)) / 1000));
  const [left, setLeft] = useState(total);

  useEffect(() => {
    const started = performance.now();
    const tick = () =>
      setLeft(Math.max(0, total - Math.floor((performance.now() - started) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [total]);

  return (
    <time
      dateTime={`PT${left}S`}
      className={classNames(
        "inline-block min-w-[5.5em] font-cond font-semibold whitespace-nowrap",
        className,
      )}
    >
      {left === 0 ? over : inWords(left)}
    </time>
  );
}
