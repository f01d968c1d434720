import { hasUnsupportedCharacters, isDatabaseUnavailable } from "./database.server.ts";
import { logFailure } from "./log-failure.server.ts";

/**
 * Returns the status and message for a form whose write failed because the database is unavailable or a
 * text contains unsupported characters. Logs any other failure and returns its reference. Rethrows redirects
 * and other responses.
 */
export function failureMessage(
  error: unknown,
  { description, requestId }: { description: string; requestId: string },
): { status: 422 | 500 | 503; details: string } {
  if (!(error instanceof Error)) throw error;
  if (hasUnsupportedCharacters(error))
    return {
      status: 422,
      details:
        "Your text contains a hidden character we can't save. Type it again instead of pasting it.",
    };
  logFailure("error", { request: requestId, error }, description);
  return isDatabaseUnavailable(error)
    ? { status: 503, details: "Furlong is temporarily unavailable. Please try again in a minute." }
    : {
        status: 500,
        details: `If it happens again, contact us and quote reference ${requestId}.`,
      };
}
