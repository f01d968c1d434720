import { SERVER_BUSY_MESSAGE } from "./busy-message.ts";
import {
  hasUnsupportedCharacters,
  isDatabaseOverloaded,
  isDatabaseUnavailable,
} from "./database.server.ts";
import { logFailure } from "./log-failure.server.ts";

/**
 * Logs a failed write and returns the status and the message for its form, which begins with `failed`. A user reads
 * what to do, with the reference of the request; an admin reads the innermost error. Rethrows responses, such as redirects,
 * and for an admin a database outage and unsupported characters, which have pages of their own.
 */
export function failureMessage(
  error: unknown,
  failed: string,
  reader: "admin" | { requestId: string },
): { status: 422 | 500 | 503; message: string } {
  if (!(error instanceof Error)) throw error;
  if (reader === "admin") {
    if (isDatabaseUnavailable(error) || hasUnsupportedCharacters(error)) throw error;
    logFailure("error", { error }, failed);
    return { status: 500, message: `${failed}: ${readInnermostMessage(error)}` };
  }
  if (hasUnsupportedCharacters(error)) return { status: 422, message: `${failed} ${HIDDEN}` };
  const { requestId } = reader;
  logFailure("error", { request: requestId, error }, failed);
  return isDatabaseUnavailable(error)
    ? { status: 503, message: `${failed} ${unavailableMessage(error)}` }
    : {
        status: 500,
        message: `${failed} If it happens again, contact us and quote reference ${requestId}.`,
      };
}

const HIDDEN =
  "Your text contains a hidden character we can't save. Type it again instead of pasting it.";

/** Returns the message of the innermost cause, which is the database error. */
export function readInnermostMessage(error: unknown): string {
  let message = "";
  for (let cause = error; cause instanceof Error; cause = cause.cause) message = cause.message;
  return message || "Unknown error";
}

/** Returns the message for a request that failed because the database is unavailable or overloaded. */
export function unavailableMessage(error: unknown): string {
  return isDatabaseOverloaded(error)
    ? SERVER_BUSY_MESSAGE
    : "Furlong is temporarily unavailable. Please try again in a minute.";
}
