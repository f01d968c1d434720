import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

type StatRowProps = {
  stats: readonly { label: string; value: ReactNode; note?: ReactNode }[];
  className?: string;
};

/** A row of statistics: a large number above its label. */
export function StatRow({ stats, className }: StatRowProps) {
  return (
    <dl
      className={classNames(
        "flex flex-wrap gap-px overflow-hidden rounded-md border border-rule bg-rule",
        className,
      )}
    >
      {stats.map((stat) => (
        <div
          key={stat.label}
          className={classNames(
            "flex grow flex-col-reverse justify-end bg-sheet py-3",
            // Three fit into one row of a phone.
            stats.length === 3 ? "basis-24 px-3 sm:px-4" : "basis-32 px-4",
          )}
        >
          {stat.note ? <dd className="text-xs text-ink-3">{stat.note}</dd> : null}
          <dt className="text-xs text-ink-2">{stat.label}</dt>
          <dd className="font-cond text-2xl font-bold">{stat.value}</dd>
        </div>
      ))}
    </dl>
  );
}
