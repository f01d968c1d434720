import { classNames } from "./class-names.ts";

type SpinnerProps = {
  /** Announced to screen readers; omit it next to text with the same meaning. */
  label?: string;
  className?: string;
};

/** A rotating ring; static when the viewer prefers reduced motion. */
export function Spinner({ label, className }: SpinnerProps) {
  return (
    <span role={label ? "status" : undefined} className={classNames("inline-flex", className)}>
      <svg
        viewBox="0 0 20 20"
        width="20"
        height="20"
        className="size-[1.25em] animate-spin"
        aria-hidden="true"
        fill="none"
      >
        <ellipse
          cx="10"
          cy="10"
          rx="7.5"
          ry="7.5"
          stroke="currentColor"
          strokeWidth="2.5"
          opacity="0.25"
        />
        <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" stroke="currentColor" strokeWidth="2.5" />
      </svg>
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  );
}
