import { classNames } from "#ui/class-names.ts";

export type GoingState = "Fast" | "Good" | "Soft" | "Heavy";

type GoingProps = {
  /** Null when the going has not been reported. */
  going: GoingState | null;
  /** Shows the word 'Going' to all readers, not only to screen readers. */
  labelled?: boolean;
  className?: string;
};

const GOINGS: readonly GoingState[] = ["Fast", "Good", "Soft", "Heavy"];
const colours = {
  Fast: "var(--going-fast)",
  Good: "var(--going-good)",
  Soft: "var(--going-soft)",
  Heavy: "var(--going-heavy)",
};

function drawStep(step: GoingState): string {
  return `M${GOINGS.indexOf(step) * 8} 0h6v12h-6`;
}

/** The going: its name and its position between dry and wet. */
export function Going({ going, labelled = false, className }: GoingProps) {
  return (
    <span className={classNames("inline-flex items-center gap-2 whitespace-nowrap", className)}>
      {labelled ? <span className="-mr-0.5 text-ink-2">Going</span> : null}
      <svg width="30" height="12" aria-hidden="true">
        <path fill="var(--rule-strong)" opacity="0.4" d={GOINGS.map(drawStep).join("")} />
        {going ? <path fill={colours[going]} d={drawStep(going)} /> : null}
      </svg>
      {labelled ? null : <span className="sr-only">Going: </span>}
      {going ?? <span className="text-ink-3">not reported</span>}
    </span>
  );
}
