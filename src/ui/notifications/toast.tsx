import { type ComponentType, useEffect, useState } from "react";
import { onFirstToast, queueToast, receiveToasts, type ToastMessage } from "./toast-queue.ts";

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
        import("./toast-region.tsx").then(
          ({ ToastRegion }) => setRegion(() => ToastRegion),
          () => setRegion(() => PlainRegion),
        );
      }),
    [],
  );
  return Region ? <Region /> : null;
}

/** Says what there is to say where the code that draws toasts could not be fetched. */
function PlainRegion() {
  const [toast, setToast] = useState<ToastMessage | null>(null);
  useEffect(() => receiveToasts(setToast), []);
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
