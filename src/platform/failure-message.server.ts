import { SERVER_BUSY_MESSAGE } from "./busy-message.ts";
import {
  hasUnsupportedCharacters,
  isDatabaseOverloaded,
  isDatabaseUnavailable,
} from "./database.server.ts";
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
    ? { status: 503, details: unavailableMessage(error) }
    : {
        status: 500,
        details: `If it happens again, contact us and quote reference ${requestId}.`,
      };
}

/** Returns the message for a request that failed because the database is unavailable or overloaded. */
export function unavailableMessage(error: unknown): string {
  return isDatabaseOverloaded(error)
    ? SERVER_BUSY_MESSAGE
    : "Furlong is temporarily unavailable. Please try again in a minute.";
}
