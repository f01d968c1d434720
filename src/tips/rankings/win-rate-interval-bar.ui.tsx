import type { WinRateInterval } from "#domain/track-record.ts";
import { classNames } from "#ui/class-names.ts";

type WinRateIntervalBarProps = {
  interval: WinRateInterval;
  /** Won over settled, in per cent. */
  winRate: number;
  className?: string;
};

/**
 * The confidence interval of a win rate as a band from 0 to 100 %, with the rate as a mark in it.
 */
export function WinRateIntervalBar({ interval, winRate, className }: WinRateIntervalBarProps) {
  const { lowPercent, highPercent } = interval;
  return (
    <span className={classNames("flex items-center gap-3", className)}>
      <span aria-hidden="true" className="relative h-2.5 min-w-16 flex-1 bg-well">
        <span
          className="absolute inset-y-0 border-x-2 border-green-ink bg-green-ink/25"
          style={{ left: `${lowPercent}%`, width: `${highPercent - lowPercent}%` }}
        />
        <span
          className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 bg-ink"
          style={{ left: `${winRate}%` }}
        />
      </span>
      <span className="min-w-[8ch] shrink-0 text-right font-cond text-base font-semibold whitespace-nowrap">
        {lowPercent.toFixed(0)}
        <span aria-hidden="true">–</span>
        <span className="sr-only"> to </span>
        {highPercent.toFixed(0)}%
      </span>
    </span>
  );
}
