/** A problem of an installation and its fix. Both texts are sentences without a full stop. */
export type Finding = { problem: string; fix: string };

/** Returns the message of the deepest cause of an error with its code, in one line. */
export function describeError(error: unknown): string {
  const { message = String(error), code, cause } = error as Error & { code?: string };
  const deepest = cause instanceof Error ? describeError(cause) : "";
  if (deepest) return deepest;
  const line = message.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return code && !line.includes(code) ? `${line || "failed"} (${code})` : line;
}
