/**
 * Returns a signal that aborts when this process receives a stop signal (Ctrl-C may arrive twice,
 * also through npm) or when its parent process has exited. The reason is the name of the signal, or
 * "disconnect".
 */
export function createShutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => controller.abort(signal));
  process.on("disconnect", () => controller.abort("disconnect"));
  return controller.signal;
}
