import { type ComponentType, useEffect, useState } from "react";
import { onFirstToast, queueToast, subscribeToToasts, type ToastMessage } from "./toast-queue.ts";

/** Shows a message for four seconds. Can be called before the Toaster is mounted. */
export function showToast(toast: ToastMessage): void {
  queueToast(toast);
}

/** Shows the toasts of the page; the code is loaded with the first toast. */
export function Toaster() {
  const [Region, setRegion] = useState<ComponentType | null>(null);
  useEffect(
    () =>
      onFirstToast(() => {
        import("./toast-region.tsx").then(
          ({ ToastRegion }) => setRegion(() => ToastRegion),
          () => setRegion(() => PlainToastRegion),
        );
      }),
    [],
  );
  return Region ? <Region /> : null;
}

/** Shows toasts as plain text when the code of the toast region could not be loaded. */
function PlainToastRegion() {
  const [toast, setToast] = useState<ToastMessage | null>(null);
  useEffect(() => subscribeToToasts(setToast), []);
  return (
    <p
      role="alert"
      className="fixed inset-x-4 bottom-12 z-40 rounded-md border border-rule-strong bg-sheet p-4 text-sm shadow-lift empty:hidden sm:left-auto sm:w-88"
    >
      {toast ? (
        <>
          <strong>{toast.title}</strong> {toast.message}
        </>
      ) : null}
    </p>
  );
}
