import { type ComponentType, useEffect, useState } from "react";
import { onFirstToast, queueToast, type ToastMessage } from "./toast-queue.ts";

/** Shows a message for four seconds. Can be called before the page's Toaster is there. */
export function showToast(toast: ToastMessage): void {
  queueToast(toast);
}

/** Stands once in the shell; what draws the toasts is loaded with the first of them. */
export function Toaster() {
  const [Region, setRegion] = useState<ComponentType | null>(null);
  useEffect(
    () =>
      onFirstToast(() => {
        import("./toast-region.tsx").then(({ ToastRegion }) => setRegion(() => ToastRegion));
      }),
    [],
  );
  return Region ? <Region /> : null;
}
