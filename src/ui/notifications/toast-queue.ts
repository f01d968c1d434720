import type { ReactNode } from "react";
import type { MessageType } from "#ui/forms/form-message.tsx";

/** A short message that goes by itself. */
export type ToastMessage = { type: MessageType; title: ReactNode; message?: ReactNode };

const waiting: ToastMessage[] = [];
let deliver: ((toast: ToastMessage) => void) | null = null;
let wake: (() => void) | null = null;

/** Hands a message to the region that shows toasts, or keeps it until there is one. */
export function queueToast(toast: ToastMessage): void {
  if (deliver) deliver(toast);
  else {
    waiting.push(toast);
    wake?.();
  }
}

/** The region takes what waits and all that comes; returns how to stop. */
export function receiveToasts(receiver: (toast: ToastMessage) => void): () => void {
  deliver = receiver;
  for (const toast of waiting.splice(0)) receiver(toast);
  return () => {
    deliver = null;
  };
}

/** Calls back when the first toast comes and no region is there yet; returns how to stop. */
export function onFirstToast(callback: () => void): () => void {
  wake = callback;
  if (waiting.length > 0) callback();
  return () => {
    wake = null;
  };
}
