import { useEffect, useState } from "react";
import { timeAt } from "#domain/calendar.ts";
import { classNames } from "./class-names.ts";

type ClockProps = {
  /** The server's time when the page was rendered, ISO; the viewer's clock is not trusted. */
  now: string;
  className?: string;
};

/** The current South African time, updated every minute. */
export function Clock({ now, className }: ClockProps) {
  const [elapsedMs, setElapsedMs] = useState(0);

  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setElapsedMs(performance.now() - startedAt), 60_000);
    return () => clearInterval(timer);
  }, []);

  const time = timeAt(new Date(Date.parse(now) + elapsedMs));
  return (
    <time dateTime={time} className={classNames("font-cond font-semibold", className)}>
      {time}
    </time>
  );
}
