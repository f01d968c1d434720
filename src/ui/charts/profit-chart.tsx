import { useId } from "react";
import { classNames } from "#ui/class-names.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { createChartScale } from "./chart-scale.ts";

/** The running profit after a number of tips. */
export type ProfitChartPoint = {
  label: string;
  tips: number;
  profit: number;
  /** How far the profit is below its highest point so far; zero or more. */
  drawdown: number;
  /** The running profit of the comparison. */
  comparison: number;
};

type ProfitChartProps = {
  title: string;
  /** What the chart shows, in a sentence, for screen readers. */
  description: string;
  /** What the dashed line is. */
  comparisonLabel: string;
  points: readonly ProfitChartPoint[];
  formatValue: (value: number) => string;
  className?: string;
};

const MAX_TABLE_ROWS = 12;
const WIDTH = 300;
const HEIGHT = 160;
const FALL_HEIGHT = 48;

/**
 * The running profit of a record as a line, a comparison as a dashed line, and below them how far the profit is
 * below its highest point. The points are placed by the number of tips. Works without JavaScript. A table with the
 * same values follows.
 */
export function ProfitChart({
  title,
  description,
  comparisonLabel,
  points,
  formatValue,
  className,
}: ProfitChartProps) {
  const id = useId();
  const scale = createChartScale(points.flatMap(({ profit, comparison }) => [profit, comparison]));
  const total = points.at(-1)?.tips ?? 1;
  const deepest = Math.max(1, ...points.map((point) => point.drawdown));
  const toX = (tips: number) => round((tips / total) * WIDTH);
  const toY = (value: number) => round((1 - scale.toHeight(value)) * HEIGHT);
  const toFallY = (drawdown: number) => round((drawdown / deepest) * (FALL_HEIGHT - 2));
  const createLine = (toValue: (point: ProfitChartPoint) => number) =>
    `M0 ${toY(0)}${points.map((point) => `L${toX(point.tips)} ${toY(toValue(point))}`).join("")}`;
  const fall = points.map((point) => `L${toX(point.tips)} ${toFallY(point.drawdown)}`).join("");
  return (
    <figure className={classNames("min-w-0", className)} aria-labelledby={`${id}-title`}>
      <figcaption id={`${id}-title`} className="font-cond text-base font-bold">
        {title}
      </figcaption>
      <p aria-hidden="true" className="mt-1 flex flex-wrap gap-x-5 text-xs text-ink-2">
        <LegendItem className="chart-line">These tips</LegendItem>
        <LegendItem className="chart-comparison">{comparisonLabel}</LegendItem>
      </p>
      <div className="relative mt-3">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-name ${id}-text`}
          className="chart block h-44 w-full overflow-visible pr-14"
        >
          <title id={`${id}-name`}>{title}</title>
          <desc id={`${id}-text`}>{description}</desc>
          {scale.ticks.map((tick) => (
            <path
              key={tick}
              className={tick === 0 ? "chart-zero" : "chart-tick"}
              d={`M0 ${toY(tick)}H${WIDTH}`}
            />
          ))}
          <path className="chart-comparison" d={createLine((point) => point.comparison)} />
          <path className="chart-line" d={createLine((point) => point.profit)} />
        </svg>
        <div aria-hidden="true" className="absolute inset-y-0 right-0 w-12">
          {scale.ticks.map((tick) => (
            <span
              key={tick}
              className="absolute right-0 translate-y-1/2 font-cond text-2xs leading-none text-ink-2"
              style={{ bottom: `${round(scale.toHeight(tick) * 100)}%` }}
            >
              {formatValue(tick)}
            </span>
          ))}
        </div>
      </div>
      <p aria-hidden="true" className="mt-3 text-xs text-ink-2">
        Below the highest point so far, by race day
      </p>
      <div className="relative mt-1">
        <svg
          viewBox={`0 0 ${WIDTH} ${FALL_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="chart block h-12 w-full overflow-visible pr-14"
        >
          <path className="chart-zero" d={`M0 0H${WIDTH}`} />
          <path className="chart-fall" d={`M0 0${fall}L${WIDTH} 0Z`} />
        </svg>
        <span
          aria-hidden="true"
          className="absolute right-0 bottom-0 font-cond text-2xs leading-none text-ink-2"
        >
          {formatValue(-deepest)}
        </span>
      </div>
      <p
        aria-hidden="true"
        className="mt-1.5 mr-14 flex justify-between gap-4 font-cond text-xs text-ink-2"
      >
        <span>{points[0]?.label}</span>
        {points.length > 1 ? <span>{points.at(-1)?.label}</span> : null}
      </p>
      <ProfitTable {...{ title, comparisonLabel, formatValue }} points={pickRows(points)} />
    </figure>
  );
}

function LegendItem({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg viewBox="0 0 24 4" aria-hidden="true" className="chart h-1 w-6 overflow-visible">
        <path className={className} d="M0 2H24" />
      </svg>
      {children}
    </span>
  );
}

function ProfitTable({
  title,
  comparisonLabel,
  points,
  formatValue,
}: Pick<ProfitChartProps, "title" | "comparisonLabel" | "points" | "formatValue">) {
  return (
    <details className="mt-1 text-sm">
      <summary className="tap inline-block rounded-sm text-xs text-ink-2 underline underline-offset-2">
        Show as table
      </summary>
      <table className="mt-2 w-full text-right [&_td]:py-1 [&_td]:font-cond [&_td]:font-semibold [&_th]:py-1 [&_th]:font-normal [&_tr]:border-b [&_tr]:border-rule [&_tr>:first-child]:text-left">
        <caption className="sr-only">{title}</caption>
        <thead className="text-xs text-ink-2">
          <tr>
            <th scope="col">Race day</th>
            <th scope="col">Tips</th>
            <th scope="col">Profit</th>
            <th scope="col">{comparisonLabel}</th>
            <th scope="col">Below highest</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td>{formatInteger(point.tips)}</td>
              <td>{formatValue(point.profit)}</td>
              <td>{formatValue(point.comparison)}</td>
              <td>{formatValue(point.drawdown)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Returns at most 12 of the points at equal distances, the last one among them. */
function pickRows(points: readonly ProfitChartPoint[]): ProfitChartPoint[] {
  const step = Math.ceil(points.length / MAX_TABLE_ROWS);
  return points.filter((_, index) => (points.length - 1 - index) % step === 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
