import { isRouteErrorResponse } from "react-router";
import { isUnreachable } from "#ui/is-unreachable.ts";

/**
 * What is said where a press of a button got no answer, or the records are away: the page stays as it
 * is. Null for everything else that can go wrong.
 */
export function noResponseMessageFor(error: unknown): string | null {
  if (isUnreachable(error))
    return "We got no answer, so this may not be done. Please check your connection and look again.";
  if (isRouteErrorResponse(error) && error.status === 503)
    return "Our records cannot be reached right now. Nothing was changed; please try again.";
  return null;
}
