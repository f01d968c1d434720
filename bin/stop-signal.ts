/**
 * Aborts once, when this process is told to stop (a terminal's Ctrl-C may arrive twice, through npm
 * too) or when the process that started it is gone. The reason is the signal's name, or "disconnect".
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => controller.abort(signal));
  process.on("disconnect", () => controller.abort("disconnect"));
  return controller.signal;
}
