import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

type PanelProps = Omit<ComponentProps<"section">, "title"> & {
  title?: ReactNode;
  /** The heading level of the title. */
  level?: 2 | 3;
  /** Content to the right of the title. */
  aside?: ReactNode;
  /** Actions or a total, below a divider. */
  footer?: ReactNode;
  /** `well` is darker than the page; `green` marks content of the viewer. */
  tone?: "sheet" | "well" | "green";
  /** Removes the padding, for children with their own such as tables. */
  flush?: boolean;
};

const tones = {
  sheet: "border-rule bg-sheet",
  well: "border-rule bg-well",
  green: "border-green-ink bg-green-wash",
};

/** A bordered panel on a lighter background. */
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
