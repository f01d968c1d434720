import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type SectionHeadingProps = {
  children: ReactNode;
  /** The heading level. */
  level?: 2 | 3;
  id?: string;
  /** Content to the right of the heading: a count, link or date. */
  aside?: ReactNode;
  /** A line below the heading. */
  lead?: ReactNode;
  className?: string;
};

/** A section heading with the double rule of a printed race card. */
export function SectionHeading({
  children,
  level = 2,
  id,
  aside,
  lead,
  className,
}: SectionHeadingProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <div className={classNames("scotch", className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Heading
          id={id}
          className={classNames(
            "font-cond font-bold tracking-[-0.005em]",
            level === 2 ? "text-xl" : "text-lg",
          )}
        >
          {children}
        </Heading>
        {aside ? <div className="min-w-0 text-sm wrap-anywhere text-ink-2">{aside}</div> : null}
      </div>
      {lead ? <p className="mt-0.5 max-w-prose text-sm text-ink-2">{lead}</p> : null}
    </div>
  );
}
