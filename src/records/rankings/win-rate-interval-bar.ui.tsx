import type { WinRateInterval } from "#domain/track-record.ts";
import { RateBar } from "#ui/charts/rate-bar.tsx";
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
    <span className={classNames("flex items-center gap-2 @2xl:gap-3", className)}>
      <RateBar
        percent={winRate}
        range={interval}
        className="h-3.5 w-0 min-w-10 flex-1 @2xl:min-w-16"
      />
      <span className="min-w-[7ch] shrink-0 text-right @2xl:min-w-[8ch] font-cond text-base font-semibold whitespace-nowrap">
        {lowPercent.toFixed(0)}
        <span aria-hidden="true">–</span>
        <span className="sr-only"> to </span>
        {highPercent.toFixed(0)}%
      </span>
    </span>
  );
}
