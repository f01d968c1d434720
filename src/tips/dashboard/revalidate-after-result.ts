import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * Revalidates a dashboard page after a refused result too, which the router does not do by default,
 * so that the row shows the current state of the tip.
 */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs): boolean {
  return args.defaultShouldRevalidate || args.formAction === "/tipster-dashboard/result";
}
