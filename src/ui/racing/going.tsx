import { classNames } from "#ui/class-names.ts";

export type GoingState = "Fast" | "Good" | "Soft" | "Heavy";

type GoingProps = {
  /** Null when the going has not been reported. */
  going: GoingState | null;
  className?: string;
};

const GOINGS: readonly GoingState[] = ["Fast", "Good", "Soft", "Heavy"];
const fills = {
  Fast: "bg-going-fast",
  Good: "bg-going-good",
  Soft: "bg-going-soft",
  Heavy: "bg-going-heavy",
};

/** The going: its name and its position between dry and wet. */
export function Going({ going, className }: GoingProps) {
  return (
    <span className={classNames("inline-flex items-center gap-2 whitespace-nowrap", className)}>
      <span className="flex gap-0.5" aria-hidden="true">
        {GOINGS.map((step) => (
          <span
            key={step}
            className={classNames(
              "h-3 w-1.5 rounded-[1px]",
              step === going ? fills[step] : "bg-rule",
            )}
          />
        ))}
      </span>
      <span>
        <span className="sr-only">Going: </span>
        {going ?? <span className="text-ink-3">not reported</span>}
      </span>
    </span>
  );
}
