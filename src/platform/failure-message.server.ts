import { hasUnsupportedCharacters, isDatabaseAway } from "./database.server.ts";
import { logFailure } from "./log-failure.server.ts";

/**
 * What a form may say of a write that failed: that the records are away, that a text cannot be kept, or by
 * which reference the log tells why. What leads elsewhere is no failure and goes on its way.
 */
export function failureMessage(
  error: unknown,
  { what, requestId }: { what: string; requestId: string },
): { status: 422 | 500 | 503; details: string } {
  if (!(error instanceof Error)) throw error;
  if (hasUnsupportedCharacters(error))
    return {
      status: 422,
      details:
        "Your text contains a hidden character we can't save. Type it again instead of pasting it.",
    };
  logFailure("error", { request: requestId, error }, what);
  return isDatabaseAway(error)
    ? { status: 503, details: "Furlong is temporarily unavailable. Please try again in a minute." }
    : {
        status: 500,
        details: `Please try again. If it happens again, contact us and quote reference ${requestId}.`,
      };
}
