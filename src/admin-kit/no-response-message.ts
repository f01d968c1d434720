import { isRouteErrorResponse } from "react-router";
import { OVERLOADED } from "#platform/busy-message.ts";
import { isNetworkError } from "#ui/is-network-error.ts";

/**
 * Returns the message for an action that got no response or met a database outage (503), after
 * which the page stays unchanged. Returns null for every other error.
 */
export function toNoResponseMessage(error: unknown): string | null {
  if (isNetworkError(error))
    return "No answer from the server, so the change may not have been saved. Check your connection and reload the page.";
  if (isRouteErrorResponse(error) && error.status === 503)
    return error.statusText === OVERLOADED
      ? "Furlong is very busy. Nothing was changed. Please try again."
      : "The database can't be reached. Nothing was changed. Please try again.";
  return null;
}
