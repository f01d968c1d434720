import type { ReactNode } from "react";
import type { MessageType } from "#ui/forms/form-message.tsx";

/** A short message that disappears by itself. */
export type ToastMessage = { type: MessageType; title: ReactNode; message?: ReactNode };

const queuedToasts: ToastMessage[] = [];
let receiveToast: ((toast: ToastMessage) => void) | null = null;
let onQueued: (() => void) | null = null;

/** Passes a message to the toast region, or queues it until there is one. */
export function queueToast(toast: ToastMessage): void {
  if (receiveToast) receiveToast(toast);
  else {
    queuedToasts.push(toast);
    onQueued?.();
  }
}

/** Delivers queued and future messages to the receiver. Returns a function that unsubscribes it. */
export function subscribeToToasts(receiver: (toast: ToastMessage) => void): () => void {
  receiveToast = receiver;
  for (const toast of queuedToasts.splice(0)) receiver(toast);
  return () => {
    receiveToast = null;
  };
}

/** Calls back for the first toast without a region. Returns a function that unsubscribes. */
export function onFirstToast(callback: () => void): () => void {
  onQueued = callback;
  if (queuedToasts.length > 0) callback();
  return () => {
    onQueued = null;
  };
}
