import { classNames } from "./class-names.ts";

type SkeletonProps = {
  /** Said to screen readers once, by the outermost. */
  label?: string;
  className?: string;
};

/** A blank of the size of what is coming: give it the height and width of the real thing. */
export function Skeleton({ label, className }: SkeletonProps) {
  return (
    <span
      role={label ? "status" : undefined}
      className={classNames("block animate-breathe rounded-sm bg-well", className)}
    >
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  );
}
