import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * Revalidates a dashboard page even after a refused result, so that the row shows the current state of
 * the tip. By default, the router does not revalidate after an error response.
 */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs): boolean {
  return (
    args.defaultShouldRevalidate || /^\/tipster-dashboard\/results?$/.test(args.formAction ?? "")
  );
}
