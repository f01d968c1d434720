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
      className={classNames("chart block h-8 w-auto max-w-full overflow-visible", className)}
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

/** Returns the number of tips of each outcome: '5 won, 2 placed each way, 13 lost'. */
export function describeForm(outcomes: readonly FormOutcome[]): string {
  const count = (outcome: FormOutcome) => outcomes.filter((each) => each === outcome).length;
  const placed = count("placed");
  return `${count("won")} won, ${placed > 0 ? `${placed} placed each way, ` : ""}${count("lost")} lost`;
}

/** The outcomes of tips in a row with a legend. */
export function FormChart({ outcomes, name }: { outcomes: readonly FormOutcome[]; name: string }) {
  return (
    <>
      <FormLine
        className="mt-4"
        outcomes={outcomes}
        label={`${name}, oldest first: ${outcomes.join(", ")}`}
      />
      <p aria-hidden="true" className="mt-1.5 text-xs text-ink-2">
        Oldest on the left. Tall: won.{" "}
        {outcomes.includes("placed") ? "Middle: placed each way. " : ""}Short: lost.
      </p>
    </>
  );
}
