import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";

type LockedSelectionProps = {
  /** What it covers. */
  title?: ReactNode;
  /** How to open it. */
  children?: ReactNode;
  /** `band` across a panel; `line` for one race in a list. */
  size?: "band" | "line";
  className?: string;
};

/**
 * A cover for content that is not open yet, drawn as a closed blinker: leather, stitching, a horse
 * facing away and a text. The covered content is not part of the page.
 */
export function LockedSelection({
  title = "Selection locked",
  children,
  size = "band",
  className,
}: LockedSelectionProps) {
  const isLine = size === "line";
  return (
    <div
      className={classNames(
        "relative isolate flex items-center overflow-hidden rounded-md bg-header text-on-header",
        isLine ? "min-h-11 gap-2.5 py-1 pr-3 pl-2" : "min-h-24 gap-4 py-3 pr-4 pl-3",
        className,
      )}
    >
      <Stitching round={isLine ? 3 : 6} />
      <BlinkerDrawing className={isLine ? "h-9 w-auto shrink-0" : "h-20 w-auto shrink-0"} />
      <div className="min-w-0">
        <p className={classNames("font-cond font-bold", isLine ? "text-base" : "text-lg")}>
          {title}
        </p>
        {children ? (
          <div className={isLine ? "text-xs text-on-header-2" : "text-sm text-on-header-2"}>
            {children}
          </div>
        ) : null}
      </div>
    </div>
  );
}

function Stitching({ round }: { round: number }) {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute rounded-sm border border-dashed border-on-header-2/60"
      style={{ inset: round }}
    />
  );
}

/** A horse's head in a hood with the cup closed over the eye. */
function BlinkerDrawing({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 96 96"
      width="96"
      height="96"
      className={className}
      aria-hidden="true"
      fill="none"
    >
      <path
        d="M10 94C12 74 16 54 26 40 29 34 32 29 36 26L37 8 46 22 50 22 54 9 58 26C62 28 65 32 68 37L87 66C91 72 90 79 84 82L79 84C75 85 72 84 69 81 63 75 57 71 50 70 46 76 45 84 47 94Z"
        fill="var(--on-header-2)"
      />
      <path
        d="M36 26L37 8 46 22 50 22 54 9 58 26C62 28 65 32 68 37L75 48C70 58 61 65 50 70 42 68 36 62 33 54 31 46 31 36 36 26Z"
        fill="var(--on-header)"
      />
      <path
        d="M48 38C56 33 66 37 70 45 66 54 57 58 47 55 44 49 44 43 48 38Z"
        fill="var(--header)"
      />
      <path
        d="M50 41.5C56.5 38 63 40.5 66.2 45 62.5 51.5 56.5 54 49.5 52 47.5 48 47.5 45 50 41.5Z"
        stroke="var(--on-header-2)"
        strokeWidth="1.3"
        strokeDasharray="2.4 1.8"
      />
      <path
        d="M33 54C26 62 20 76 18 94M50 70C41 72 33 66 30 62"
        stroke="var(--header)"
        strokeWidth="2"
      />
      <circle cx="82" cy="75" r="1.9" fill="var(--header)" />
      <path d="M71 79.5 77 77.5" stroke="var(--header)" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}
