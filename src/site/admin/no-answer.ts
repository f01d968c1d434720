import type { FormEvent } from "react";
import { isRouteErrorResponse } from "react-router";
import { isUnreachable } from "#ui/is-unreachable.ts";
import { showToast } from "#ui/toast.tsx";

/**
 * What is said where a press of a button got no answer, or the records are away: the page stays as it
 * is. Null for everything else that can go wrong.
 */
export function noAnswer(error: unknown): string | null {
  if (isUnreachable(error))
    return "We got no answer, so this may not be done. Please check your connection and look again.";
  if (isRouteErrorResponse(error) && error.status === 503)
    return "Our records cannot be reached right now. Nothing was changed; please try again.";
  return null;
}

/** Without a connection nothing is sent: the page says so and stays. Answers whether that was so. */
export function keptOffline(event: FormEvent): boolean {
  if (navigator.onLine) return false;
  event.preventDefault();
  showToast({ type: "error", title: "You are offline: nothing was sent. Please try again later." });
  return true;
}
