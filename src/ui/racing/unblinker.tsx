import type { ReactNode } from "react";
import { ClosedBlinker } from "./closed-blinker.tsx";

type UnblinkerProps = {
  /** The selection, now open. */
  children: ReactNode;
  /** True only in the moment after opening: the blinker comes off over what it covered. */
  justOpened?: boolean;
};

/** Takes the blinker off in under 400 ms, once; for those who asked for less movement, at once. */
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
