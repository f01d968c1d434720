import type { ReactNode } from "react";
import { ClosedBlinker } from "./closed-blinker.tsx";

type UnblinkerProps = {
  /** The opened selection. */
  children: ReactNode;
  /** True only right after opening: animates the removal of the blinker. */
  justOpened?: boolean;
};

/** Animates the removal of the blinker once, in under 400 ms; skipped for reduced motion. */
export function Unblinker({ children, justOpened = false }: UnblinkerProps) {
  if (!justOpened) return <>{children}</>;
  return (
    <div className="relative">
      <div className="blinker-shown">{children}</div>
      <div aria-hidden="true" className="blinker-off pointer-events-none absolute inset-0">
        <ClosedBlinker title="Opened" className="size-full items-start" />
      </div>
    </div>
  );
}
