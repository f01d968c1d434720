/**
 * How a process shuts down. `now`: after the pending requests. `replaced`: another process has
 * taken over, and open connections get time for a last request. `announced`: nothing takes over,
 * and the load balancer gets time to notice.
 */
export type ShutdownKind = "now" | "replaced" | "announced";

const controller = new AbortController();

/** Aborts when this process shuts down. Live streams must end then. */
export const shutdownSignal: AbortSignal = controller.signal;

/** Aborts `shutdownSignal`. */
export function beginShutdown(how: ShutdownKind): void {
  controller.abort(how);
}

/** Returns true when the load balancer should stop sending requests to this process. */
export function isShuttingDown(): boolean {
  return shutdownSignal.aborted && shutdownSignal.reason === "announced";
}
