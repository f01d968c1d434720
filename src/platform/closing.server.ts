const controller = new AbortController();

/** Aborts when this process is about to end: live streams end then, so that nobody waits for them. */
export const closing: AbortSignal = controller.signal;

/** Tells every live stream of this process that it is about to end. */
export function beginClosing(): void {
  controller.abort();
}
