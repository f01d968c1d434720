import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";

/** Running text of readable line length, with spacing between paragraphs and lists. */
export function Prose({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={classNames(
        "max-w-[68ch] text-ink-2 [&_p+*]:mt-3 [&_ul+*]:mt-3 [&_ol+*]:mt-3 [&_dl+*]:mt-3 [&_h3]:mt-5 [&_h3]:font-cond [&_h3]:text-lg [&_h3]:font-bold [&_h3]:text-ink [&_h3+*]:mt-1.5 [&_li+li]:mt-1.5 [&_ol]:list-decimal [&_ol]:pl-6 [&_strong]:font-semibold [&_strong]:text-ink [&_ul]:list-disc [&_ul]:pl-5 [&_:is(ul,ol)_li]:pl-1 [&_li]:marker:text-ink-3 [&_dt]:font-semibold [&_dt]:text-ink [&_dd+dt]:mt-3",
        className,
      )}
    >
      {children}
    </div>
  );
}
