/** Something that is wrong with an installation, and what to do about it; each one sentence without its stop. */
export type Finding = { problem: string; remedy: string };

/** What an error says, with its code, in one line. */
export function reasonOf(error: unknown): string {
  const { message = String(error), code, cause } = error as Error & { code?: string };
  const deepest = cause instanceof Error ? reasonOf(cause) : "";
  if (deepest) return deepest;
  const line = message.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return code && !line.includes(code) ? `${line || "failed"} (${code})` : line;
}
