/**
 * How a process shuts down. `immediate`: after the pending requests. `replaced`: another process has
 * taken over, and open connections get time for a last request. `drain`: no other process takes
 * over, so the load balancer gets time to detect that this one is not ready.
 */
export type ShutdownKind = "immediate" | "replaced" | "drain";

const controller = new AbortController();

/** The signal that aborts when this process shuts down. Event streams must end then. */
export const shutdownSignal: AbortSignal = controller.signal;

/** Aborts `shutdownSignal`. */
export function beginShutdown(kind: ShutdownKind): void {
  controller.abort(kind);
}

/** Returns true when the load balancer should stop sending requests to this process. */
export function isShuttingDown(): boolean {
  return shutdownSignal.aborted && shutdownSignal.reason === "drain";
}
