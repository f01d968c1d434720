import { classNames } from "./class-names.ts";

type SkeletonProps = {
  /** Announced to screen readers; set on the outermost skeleton only. */
  label?: string;
  className?: string;
};

/** A loading placeholder. Needs the height and width of the content it replaces. */
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
