import { classNames } from "#ui/class-names.ts";

type NumberClothProps = {
  number: number;
  /** `race` for the number of a race on the race card, `saddle` for a runner's saddle cloth. */
  kind?: "race" | "saddle";
  size?: "small" | "medium" | "large";
  /** Whether the race is over. */
  isOver?: boolean;
  className?: string;
};

const sizes = {
  small: "h-6 min-w-6 text-sm",
  medium: "h-8 min-w-8 text-lg",
  large: "h-12 min-w-12 text-2xl",
};

/** A number in a square: dark for a race, a white saddle cloth for a runner. */
export function NumberCloth({
  number,
  kind = "race",
  size = "medium",
  isOver = false,
  className,
}: NumberClothProps) {
  return (
    <span
      className={classNames(
        "inline-flex shrink-0 items-center justify-center px-1 font-cond leading-none font-bold",
        sizes[size],
        kind === "race"
          ? isOver
            ? "rounded-sm border border-rule-strong bg-well text-ink-3"
            : "rounded-sm bg-ink text-paper"
          : "rounded-t-sm rounded-b-md border border-[#17201b] bg-[#fffdf6] text-[#17201b] shadow-[inset_0_-3px_0_#17201b] dark:border-[#fffdf6]",
        className,
      )}
    >
      <span className="sr-only">{kind === "race" ? "Race " : "Number "}</span>
      <span className={kind === "saddle" ? "-translate-y-px" : undefined}>{number}</span>
      {isOver ? <span className="sr-only"> (run)</span> : null}
    </span>
  );
}
