import { ChartFrame, type ChartProps } from "./chart-frame.tsx";
import { createChartScale } from "./chart-scale.ts";

/** A line chart with its last value marked, followed by the same values as a table. */
export function LineChart({
  labelHeading = "Date",
  formatValue = String,
  points,
  ...frame
}: ChartProps) {
  const scale = createChartScale(points.map((point) => point.value));
  const positions = points.map((point, index) => ({
    x: points.length === 1 ? 100 : (index / (points.length - 1)) * 100,
    y: (1 - scale.toHeight(point.value)) * 100,
  }));
  const path = positions
    .map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`)
    .join("");
  const baseline = (1 - scale.toHeight(0)) * 100;
  const last = positions.at(-1);

  return (
    <ChartFrame {...frame} {...scale} {...{ labelHeading, formatValue, points }}>
      <svg
        viewBox="0 0 100 100"
        width="300"
        height="160"
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
        aria-hidden="true"
      >
        {positions.length > 1 ? (
          <path
            d={`${path}L100 ${baseline}L0 ${baseline}Z`}
            fill="var(--green-ink)"
            opacity="0.1"
          />
        ) : null}
        <path
          d={path}
          fill="none"
          stroke="var(--green-ink)"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {last ? (
        <span
          className="absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-sheet bg-green-ink"
          style={{ left: `${last.x}%`, top: `${last.y}%` }}
        />
      ) : null}
    </ChartFrame>
  );
}
