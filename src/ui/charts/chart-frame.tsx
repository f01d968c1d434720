import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";

/** A data point of a chart. */
export type ChartPoint = {
  label: string;
  value: number;
  /** The value to compare with. */
  usual?: number;
};

export type ChartProps = {
  title: string;
  /** The meaning of the values: 'Earned', 'Strike rate'. */
  valueLabel: string;
  /** The heading of the label column: 'Day', 'Venue'. */
  labelHeading?: string;
  points: readonly ChartPoint[];
  formatValue?: (value: number) => string;
  /** The meaning of the values to compare with. */
  usualLabel?: string;
  className?: string;
};

type ChartFrameProps = ChartProps & {
  labelHeading: string;
  formatValue: (value: number) => string;
  ticks: readonly number[];
  /** Returns the height of a value in the plot, from 0 at the bottom to 1 at the top. */
  toHeight: (value: number) => number;
  children: ReactNode;
};

/** The common parts of charts: title, scale, first and last label, and the values as a table. */
export function ChartFrame({
  title,
  valueLabel,
  usualLabel,
  labelHeading,
  points,
  formatValue,
  ticks,
  toHeight,
  className,
  children,
}: ChartFrameProps) {
  const first = points[0];
  const last = points.at(-1);
  return (
    <figure className={classNames("min-w-0", className)}>
      <figcaption className="mb-2 flex items-baseline justify-between gap-4">
        <span className="font-cond text-base font-bold">{title}</span>
        <span className="text-xs text-ink-3">{valueLabel}</span>
      </figcaption>
      <div aria-hidden="true">
        <div className="relative mt-5 h-40">
          {ticks.map((tick) => (
            <div
              key={tick}
              className={classNames(
                "absolute inset-x-0 border-t",
                tick === 0 ? "border-ink-2" : "border-rule",
              )}
              style={{ bottom: `${toHeight(tick) * 100}%` }}
            >
              <span className="absolute right-0 bottom-0.5 bg-sheet/80 pl-1 font-cond text-2xs leading-none text-ink-3">
                {formatValue(tick)}
              </span>
            </div>
          ))}
          <div className="absolute inset-y-0 right-12 left-0">{children}</div>
        </div>
        <div className="mt-1.5 mr-12 flex justify-between gap-4 font-cond text-xs text-ink-3">
          <span>{first?.label}</span>
          {points.length > 1 ? <span>{last?.label}</span> : null}
        </div>
      </div>
      <details className="mt-1 text-sm">
        <summary className="tap inline-block rounded-sm text-xs text-ink-2 underline underline-offset-2">
          Show as table
        </summary>
        <div className="mt-2">
          <table className="w-full text-left">
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr className="border-b border-ink">
                <th scope="col" className="caps py-1 text-ink-2">
                  {labelHeading}
                </th>
                <th scope="col" className="caps py-1 text-right text-ink-2">
                  {valueLabel}
                </th>
                {usualLabel ? (
                  <th scope="col" className="caps py-1 text-right text-ink-2">
                    {usualLabel}
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.label} className="border-b border-rule">
                  <th scope="row" className="py-1 font-normal">
                    {point.label}
                  </th>
                  <td className="py-1 text-right font-cond font-semibold">
                    {formatValue(point.value)}
                  </td>
                  {usualLabel ? (
                    <td className="py-1 text-right font-cond">{formatValue(point.usual ?? 0)}</td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
