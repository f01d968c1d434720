import type { ReactNode } from "react";
import { SectionHeading } from "#ui/section-heading.tsx";

/** The classes of the link of a result. */
export const RESULT_ROW_CLASSES =
  "flex min-h-13 items-center gap-3 py-2 text-ink no-underline hover:underline hover:underline-offset-4";

/** The results of one kind, or nothing if there are none. */
export function ResultGroup({
  title,
  id,
  count,
  children,
}: {
  title: string;
  id: string;
  count: number;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-8">
      <SectionHeading id={id} aside={count}>
        {title}
      </SectionHeading>
      <ul className="divide-y divide-rule">{children}</ul>
    </section>
  );
}
