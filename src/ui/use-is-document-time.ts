import { useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

/**
 * Returns whether a time of the server (milliseconds) came with the document and not with a later load. It is as old as the
 * document then, however late the scripts have started: `performance.now()` counts from there.
 */
export function useIsDocumentTime(serverMs: number): boolean {
  const isHydrated = useHydrated();
  const [documentMs] = useState(isHydrated ? null : serverMs);
  return serverMs === documentMs;
}
