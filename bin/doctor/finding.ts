/** A problem of an installation and its remedy, each one sentence without a full stop. */
export type Finding = { problem: string; remedy: string };

/** Returns the message of the deepest cause of an error with its code, in one line. */
export function reasonOf(error: unknown): string {
  const { message = String(error), code, cause } = error as Error & { code?: string };
  const deepest = cause instanceof Error ? reasonOf(cause) : "";
  if (deepest) return deepest;
  const line = message.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return code && !line.includes(code) ? `${line || "failed"} (${code})` : line;
}
