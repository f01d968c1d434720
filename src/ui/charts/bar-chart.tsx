import { classNames } from "#ui/class-names.ts";
import { ChartFrame, type ChartProps } from "./chart-frame.tsx";
import { createChartScale } from "./chart-scale.ts";

/** A bar chart with negative values in red and dots for the values to compare with, followed by a table of all. */
export function BarChart({
  labelHeading = "Day",
  formatValue = String,
  points,
  ...frame
}: ChartProps) {
  const scale = createChartScale(points.flatMap(({ value, usual = 0 }) => [value, usual]));
  const zero = scale.toHeight(0);
  return (
    <ChartFrame {...frame} {...scale} {...{ labelHeading, formatValue, points }}>
      <div className="absolute inset-0 flex">
        {points.map((point) => {
          const top = scale.toHeight(Math.max(0, point.value));
          const bottom = scale.toHeight(Math.min(0, point.value));
          return (
            <div
              key={point.label}
              className="group relative min-w-0 flex-1"
              title={`${point.label}: ${formatValue(point.value)}`}
            >
              <span
                className={classNames(
                  "absolute inset-x-[12%] forced-colors:bg-[CanvasText] forced-colors:forced-color-adjust-none",
                  point.value < 0 ? "bg-danger-ink" : "bg-green-ink group-hover:bg-green-strong",
                )}
                style={{
                  bottom: `${Math.min(bottom, zero) * 100}%`,
                  height: `${(top - bottom) * 100}%`,
                }}
              />
              {point.usual ? (
                <span
                  className="absolute left-1/2 size-2 -translate-x-1/2 translate-y-1/2 rounded-full border border-sheet bg-ink-2"
                  style={{ bottom: `${scale.toHeight(point.usual) * 100}%` }}
                />
              ) : null}
            </div>
          );
        })}
      </div>
    </ChartFrame>
  );
}
