import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * Revalidates a page after a conflict too, which the router does not do by default: what the form was about
 * was replaced, discarded or confirmed meanwhile, so the page shows its current state.
 */
export function revalidateAfterConflict(args: ShouldRevalidateFunctionArgs): boolean {
  return args.actionStatus === 409 || args.defaultShouldRevalidate;
}
