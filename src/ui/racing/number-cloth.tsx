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
        "cloth",
        kind === "saddle" && "saddle",
        size !== "medium" && size,
        isOver && "over",
        className,
      )}
    >
      <span className="sr-only">{kind === "race" ? "Race " : "Number "}</span>
      {number}
      {isOver ? <span className="sr-only"> (run)</span> : null}
    </span>
  );
}
