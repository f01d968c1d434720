import type { ReactNode } from "react";

/** A list of label and value pairs. */
export function DetailList({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-8 text-sm sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex items-baseline justify-between gap-4 border-b border-rule py-2"
        >
          <dt className="shrink-0 text-ink-2">{name}</dt>
          <dd className="min-w-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
