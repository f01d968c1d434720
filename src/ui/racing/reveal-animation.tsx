import type { ReactNode } from "react";
import { LockedSelection } from "./locked-selection.tsx";

type RevealAnimationProps = {
  /** The opened selection. */
  children: ReactNode;
  /** True only right after opening: plays the animation. */
  isNewlyOpened?: boolean;
};

/** Slides the cover of a locked selection away once, in under 400 ms; skipped for reduced motion. */
export function RevealAnimation({ children, isNewlyOpened = false }: RevealAnimationProps) {
  if (!isNewlyOpened) return <>{children}</>;
  return (
    <div className="relative">
      <div className="reveal-content">{children}</div>
      <div aria-hidden="true" className="reveal-cover pointer-events-none absolute inset-0">
        <LockedSelection title="Opened" className="size-full items-start" />
      </div>
    </div>
  );
}
