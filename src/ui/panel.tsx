import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

type PanelProps = Omit<ComponentProps<"section">, "title"> & {
  title?: ReactNode;
  /** Level of the title in the page's outline. */
  level?: 2 | 3;
  /** Right of the title. */
  aside?: ReactNode;
  /** Below a hairline: actions or a total. */
  footer?: ReactNode;
  /** `well` lies lower than the page, `green` marks what belongs to the viewer. */
  tone?: "sheet" | "well" | "green";
  /** Without padding: the children bring their own (a table, a strip). */
  flush?: boolean;
};

const tones = {
  sheet: "border-rule bg-sheet",
  well: "border-rule bg-well",
  green: "border-green-ink bg-green-wash",
};

/** A sheet of lighter paper with a hairline round it. */
export function Panel({
  title,
  level = 2,
  aside,
  footer,
  tone = "sheet",
  flush = false,
  className,
  children,
  ...rest
}: PanelProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section
      {...rest}
      className={classNames("@container rounded-md border", tones[tone], className)}
    >
      {title || aside ? (
        <div className="flex items-baseline justify-between gap-4 border-b border-rule px-4 py-2.5">
          <Heading className="font-cond text-lg font-bold">{title}</Heading>
          {aside ? <div className="shrink-0 text-sm text-ink-2">{aside}</div> : null}
        </div>
      ) : null}
      <div className={flush ? undefined : "p-4"}>{children}</div>
      {footer ? <div className="border-t border-rule px-4 py-3">{footer}</div> : null}
    </section>
  );
}
