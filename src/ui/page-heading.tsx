import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type PageHeadingProps = {
  children: ReactNode;
  /** A short line in capitals above the heading, such as the section. */
  kicker?: ReactNode;
  lead?: ReactNode;
  /** The page's actions, to the right on wide screens. */
  actions?: ReactNode;
  className?: string;
};

/** The page's one h1. */
export function PageHeading({ children, kicker, lead, actions, className }: PageHeadingProps) {
  return (
    <header
      className={classNames("flex flex-wrap items-end justify-between gap-x-8 gap-y-4", className)}
    >
      <div className="min-w-0 max-w-3xl">
        {kicker ? <p className="caps mb-1 text-green-ink">{kicker}</p> : null}
        <h1 className="font-cond text-3xl font-bold tracking-[-0.015em] sm:text-4xl">{children}</h1>
        {lead ? <p className="mt-2 max-w-prose text-base text-ink-2">{lead}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  );
}
