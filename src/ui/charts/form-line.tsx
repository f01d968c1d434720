import { classNames } from "#ui/class-names.ts";

export type FormOutcome = "won" | "placed" | "lost";

const HEIGHTS: Record<FormOutcome, number> = { won: 28, placed: 18, lost: 8 };
const STEP = 16;
const WIDTH = 10;
const HEIGHT = 30;

/** The outcomes of tips in a row, oldest first: the taller the bar, the better the outcome. */
export function FormLine({
  outcomes,
  label,
  className,
}: {
  outcomes: readonly FormOutcome[];
  /** What the line shows, for screen readers. */
  label: string;
  className?: string;
}) {
  return (
    <svg
      viewBox={`0 0 ${outcomes.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
      role="img"
      aria-label={label}
      className={classNames("chart block h-8 w-auto max-w-full", className)}
    >
      {outcomes.map((outcome, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the outcomes have no other identity
          key={index}
          className={outcome === "lost" ? "chart-loss" : "chart-bar"}
          x={index * STEP}
          y={HEIGHT - 1 - HEIGHTS[outcome]}
          width={WIDTH}
          height={HEIGHTS[outcome]}
        />
      ))}
    </svg>
  );
}
