import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Returns false on the server and on the first paint, true once scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
