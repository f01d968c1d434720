const CONNECTION_ERRORS = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
]);

/** Prints an error to stderr, with one line for each problem of an invalid environment. */
export function printError(error: unknown): void {
  const { problems, code } = (error ?? {}) as { problems?: unknown; code?: string };
  if (Array.isArray(problems)) for (const problem of problems) console.error(problem);
  else if (code && CONNECTION_ERRORS.has(code))
    console.error(`Can't connect to the database (${code}).`);
  else console.error(error instanceof Error ? error.message || error.stack : error);
}
