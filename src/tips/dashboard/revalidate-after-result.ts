import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * Reads a page of the dashboard again after a result that was refused too, where the router would not:
 * the row then shows what has become of the tip meanwhile.
 */
export function shouldRevalidate(step: ShouldRevalidateFunctionArgs): boolean {
  return step.defaultShouldRevalidate || step.formAction === "/tipster-dashboard/result";
}
