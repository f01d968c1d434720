import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { EmptyDrawing, type EmptyDrawingKind } from "./empty-drawing.tsx";

type EmptyStateProps = {
  drawing?: EmptyDrawingKind;
  title: ReactNode;
  children?: ReactNode;
  /** A button or link with the suggested action. */
  action?: ReactNode;
  /** For use inside a table or panel. */
  compact?: boolean;
  className?: string;
};

/** An empty state: an illustration, a sentence and a suggested action. */
export function EmptyState({
  drawing = "paddock",
  title,
  children,
  action,
  compact = false,
  className,
}: EmptyStateProps) {
  return (
    <div
      className={classNames(
        "flex flex-col items-center text-center",
        compact ? "px-4 py-6" : "px-4 py-10",
        className,
      )}
    >
      <EmptyDrawing kind={drawing} className={compact ? "h-16 w-auto" : "h-24 w-auto"} />
      <p className="mt-3 font-cond text-lg font-bold">{title}</p>
      {children ? (
        <div className="mt-1 max-w-[44ch] text-sm text-balance text-ink-2">{children}</div>
      ) : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
