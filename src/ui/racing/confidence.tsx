import type { Confidence as ConfidenceLevel } from "#domain/tip.ts";
import { classNames } from "#ui/class-names.ts";

type ConfidenceProps = {
  level: ConfidenceLevel;
  /** Adds the word 'confidence', for use without a heading. */
  labelled?: boolean;
  className?: string;
};

const railCount = { high: 3, medium: 2, low: 1 };

/** The confidence of a tip: HIGH, MEDIUM or LOW, with three, two or one filled rails. */
export function Confidence({ level, labelled = false, className }: ConfidenceProps) {
  return (
    <span
      className={classNames("inline-flex items-center gap-2 whitespace-nowrap", className)}
      title={`${level[0]?.toUpperCase()}${level.slice(1)} confidence`}
    >
      <svg
        viewBox="0 0 15 14"
        width="15"
        height="14"
        className="h-[0.875rem] w-[0.9375rem] shrink-0"
        aria-hidden="true"
      >
        {[1, 2, 3].map((step) => (
          <rect
            key={step}
            x={(step - 1) * 5.5 + 0.5}
            y={13.5 - step * 4.25}
            width="3.5"
            height={step * 4.25 - 0.5}
            fill={step <= railCount[level] ? "var(--green-ink)" : "none"}
            stroke={step <= railCount[level] ? "var(--green-ink)" : "var(--rule-strong)"}
            strokeWidth="1"
          />
        ))}
      </svg>
      <span className="caps text-ink">
        {level.toUpperCase()}
        {labelled ? <span className="text-ink-2"> confidence</span> : null}
      </span>
    </span>
  );
}
