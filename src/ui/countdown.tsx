import { useEffect, useState } from "react";
import { classNames } from "./class-names.ts";
import { formatRemaining } from "./format-remaining.ts";
import { findStartMs, useIsDocumentTime } from "./use-is-document-time.ts";

type CountdownProps = {
  /** The instant at which it ends, ISO. */
  until: string;
  /** The server's time when the page was rendered, ISO; the viewer's clock is not trusted. */
  now: string;
  /** The text shown when it has ended, instead of 'Off'. */
  endText?: string;
  className?: string;
};

/**
 * The remaining time: hours and minutes, with seconds in the last ten minutes. Its width is fixed,
 * so that updates do not shift the layout. An inline script of some pages counts down until React does.
 */
export function Countdown({ until, now, endText, className }: CountdownProps) {
  const totalSeconds = Math.max(0, Math.floor((Date.parse(until) - Date.parse(now)) / 1000));
  const [remainingSeconds, setRemainingSeconds] = useState(totalSeconds);
  const isDocumentTime = useIsDocumentTime(Date.parse(now));

  useEffect(() => {
    const startedAtMs = findStartMs(isDocumentTime);
    const update = () =>
      setRemainingSeconds(
        Math.max(0, totalSeconds - Math.floor((Date.now() - startedAtMs) / 1000)),
      );
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [totalSeconds, isDocumentTime]);

  return (
    <time
      dateTime={`PT${remainingSeconds}S`}
      suppressHydrationWarning
      className={classNames("countdown font-cond font-semibold", className)}
    >
      {(remainingSeconds === 0 && endText) || formatRemaining(remainingSeconds)}
    </time>
  );
}
