import { isRouteErrorResponse } from "react-router";
import { isUnreachable } from "#ui/is-unreachable.ts";

/**
 * What is said where a press of a button got no answer, or the records are away: the page stays as it
 * is. Null for everything else that can go wrong.
 */
export function noResponseMessageFor(error: unknown): string | null {
  if (isUnreachable(error))
    return "No answer from the server, so the change may not have been saved. Check your connection and reload the page.";
  if (isRouteErrorResponse(error) && error.status === 503)
    return "The database can't be reached. Nothing was changed. Please try again.";
  return null;
}
