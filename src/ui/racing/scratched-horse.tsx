import type { ReactNode } from "react";
import { Badge } from "../badge.tsx";

/** The name of a selected horse, struck off and marked if it was scratched. */
export function ScratchedHorse({
  isScratched,
  children,
}: {
  isScratched: boolean;
  children: ReactNode;
}) {
  if (!isScratched) return children;
  return (
    <>
      <s className="text-ink-2">{children}</s>{" "}
      <Badge tone="danger" className="font-sans">
        Scratched
      </Badge>
    </>
  );
}
