/**
 * Aborts once, when this process is told to stop (a terminal's Ctrl-C may arrive twice, through npm
 * too) or when the process that started it is gone.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.on("disconnect", stop);
  return controller.signal;
}
