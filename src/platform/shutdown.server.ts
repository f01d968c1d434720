/**
 * How a process ends: `now`, as soon as what has been asked is answered; `replaced`, when another has taken
 * its place and whoever keeps a connection open has had time to ask on it; `announced`, when nobody takes
 * its place and a balancer has had time to see it.
 */
export type ShutdownKind = "now" | "replaced" | "announced";

const controller = new AbortController();

/** Aborts when this process is about to end: live streams end then, so that nobody waits for them. */
export const closing: AbortSignal = controller.signal;

/** Tells every live stream of this process that it is about to end. */
export function beginShutdown(how: ShutdownKind): void {
  controller.abort(how);
}

/** Whether whoever shares out visitors should send none here any more. */
export function isShuttingDown(): boolean {
  return closing.aborted && closing.reason === "announced";
}
