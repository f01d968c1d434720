import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and on the first paint, true once scripts run: for controls that need them. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
