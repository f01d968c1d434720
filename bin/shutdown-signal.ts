/**
 * Returns a signal that aborts when this process receives a stop signal or its parent process exits. Ctrl-C
 * may arrive twice, because npm forwards it. The abort reason is the name of the signal, or "disconnect".
 */
export function createShutdownSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => controller.abort(signal));
  process.on("disconnect", () => controller.abort("disconnect"));
  return controller.signal;
}
