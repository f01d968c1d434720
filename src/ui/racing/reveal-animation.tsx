import type { ReactNode } from "react";
import { LockedSelection } from "./locked-selection.tsx";

type RevealAnimationProps = {
  /** The opened selection. */
  children: ReactNode;
  /** True only right after opening: plays the animation. */
  isNewlyOpened?: boolean;
};

/**
 * Slides the cover of a locked selection away once, in under 400 ms; skipped for reduced motion. The cover keeps its
 * height, however long the selections are. Rows with the class `reveal-row` appear one after the other.
 */
export function RevealAnimation({ children, isNewlyOpened = false }: RevealAnimationProps) {
  if (!isNewlyOpened) return <>{children}</>;
  return (
    <div className="relative">
      {children}
      <div
        aria-hidden="true"
        className="reveal-cover pointer-events-none absolute inset-x-0 top-0 h-24 overflow-hidden"
      >
        <LockedSelection title="Opened" className="size-full items-start" />
      </div>
    </div>
  );
}
