import type { Confidence as ConfidenceLevel } from "#domain/tip.ts";
import { classNames } from "#ui/class-names.ts";

type ConfidenceProps = {
  level: ConfidenceLevel;
  /** Adds the word 'confidence', for use without a heading. */
  labelled?: boolean;
  className?: string;
};

const RAIL_COUNTS = { high: 3, medium: 2, low: 1 };
// From the lowest up. A page can have hundreds, so rails of one colour are drawn as one path.
const RAIL_PATHS = ["M.5 9.5h3.5v4H.5z", "M6 5.25h3.5v8.25H6z", "M11.5.75H15v12.75h-3.5z"];

/** Three rails, of which three, two or one are filled. Decorative: the word or a label says the level. */
export function ConfidenceRails({
  level,
  isOver = false,
}: {
  level: ConfidenceLevel;
  /** Draws the rails of a race that was run. */
  isOver?: boolean;
}) {
  const colour = isOver ? "var(--ink-3)" : "var(--green-ink)";
  const count = RAIL_COUNTS[level];
  return (
    <svg viewBox="0 0 15.5 14" width="15.5" height="14" className="shrink-0" aria-hidden="true">
      <path d={RAIL_PATHS.slice(0, count).join("")} fill={colour} stroke={colour} />
      {count < 3 ? (
        <path d={RAIL_PATHS.slice(count).join("")} fill="none" stroke="var(--rule-strong)" />
      ) : null}
    </svg>
  );
}

/** The confidence of a tip: HIGH, MEDIUM or LOW, with three, two or one filled rails. */
export function Confidence({ level, labelled = false, className }: ConfidenceProps) {
  return (
    <span
      className={classNames("inline-flex items-center gap-2 whitespace-nowrap", className)}
      title={`${level[0]?.toUpperCase()}${level.slice(1)} confidence`}
    >
      <ConfidenceRails level={level} />
      <span className="caps text-ink">
        {level.toUpperCase()}
        {labelled ? <span className="text-ink-2"> confidence</span> : null}
      </span>
    </span>
  );
}
