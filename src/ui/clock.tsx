import { useEffect, useState } from "react";
import { timeAt } from "#domain/calendar.ts";
import { classNames } from "./class-names.ts";

type ClockProps = {
  /** The server's instant when the page was made, ISO: the viewer's own clock is not trusted. */
  now: string;
  className?: string;
};

/** The time at the tracks, South African wherever the viewer is; moves on every minute. */
export function Clock({ now, className }: ClockProps) {
  const [elapsedMs, setElapsedMs] = useState(0);

  useEffect(() => {
    const started = performance.now();
    const timer = setInterval(() => setElapsedMs(performance.now() - started), 60_000);
    return () => clearInterval(timer);
  }, []);

  const time = timeAt(new Date(Date.parse(now) + elapsedMs));
  return (
    <time dateTime={time} className={classNames("font-cond font-semibold", className)}>
      {time}
    </time>
  );
}
