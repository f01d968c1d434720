import { useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

/**
 * Returns whether a time of the server (milliseconds) came with the document and not with a later load. It is as old as the
 * document then, however late the scripts have started.
 */
export function useIsDocumentTime(serverMs: number): boolean {
  const isHydrated = useHydrated();
  const [documentMs] = useState(isHydrated ? null : serverMs);
  return serverMs === documentMs;
}

/**
 * Returns when a time of the server was received, by the viewer's clock: now, or when the document was opened. Only the
 * difference to a later `Date.now()` is used, which is right on a viewer's clock that is wrong, and goes on while a phone
 * sleeps, unlike `performance.now()`.
 */
export function findStartMs(isDocumentTime: boolean): number {
  return Date.now() - (isDocumentTime ? performance.now() : 0);
}
