import type { ShouldRevalidateFunctionArgs } from "react-router";
import { expect, test } from "vitest";
import { shouldRevalidate } from "./revalidate-after-result.ts";

function step(more: Partial<ShouldRevalidateFunctionArgs>) {
  const url = new URL("https://furlong.test/tipster-dashboard");
  return {
    currentUrl: url,
    nextUrl: url,
    currentParams: {},
    nextParams: {},
    defaultShouldRevalidate: false,
    ...more,
  } as ShouldRevalidateFunctionArgs;
}

test("revalidates after a refused result, so that a settled row shows its result", () => {
  const refused = { formAction: "/tipster-dashboard/result", actionStatus: 409 };
  expect(shouldRevalidate(step(refused))).toBe(true);
  expect(shouldRevalidate(step({ ...refused, actionStatus: 404 }))).toBe(true);
});

test("follows the router's default otherwise", () => {
  for (const defaultShouldRevalidate of [true, false]) {
    const other = { formAction: "/tipster-dashboard/payout", actionStatus: 409 };
    expect(shouldRevalidate(step({ ...other, defaultShouldRevalidate }))).toBe(
      defaultShouldRevalidate,
    );
  }
});
