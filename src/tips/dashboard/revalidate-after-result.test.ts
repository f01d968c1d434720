import type { ShouldRevalidateFunctionArgs } from "react-router";
import { expect, test } from "vitest";
import { shouldRevalidate } from "./revalidate-after-result.ts";

function createArgs(overrides: Partial<ShouldRevalidateFunctionArgs>) {
  const url = new URL("https://furlong.test/tipster-dashboard/tips");
  return {
    currentUrl: url,
    nextUrl: url,
    currentParams: {},
    nextParams: {},
    defaultShouldRevalidate: false,
    ...overrides,
  } as ShouldRevalidateFunctionArgs;
}

test("revalidates after a refused result, so that a settled row shows its result", () => {
  const refusedAction = { formAction: "/tipster-dashboard/result", actionStatus: 409 };
  expect(shouldRevalidate(createArgs(refusedAction))).toBe(true);
  expect(shouldRevalidate(createArgs({ ...refusedAction, actionStatus: 404 }))).toBe(true);
  const refusedMarks = { ...refusedAction, formAction: "/tipster-dashboard/results" };
  expect(shouldRevalidate(createArgs(refusedMarks))).toBe(true);
});

test("follows the router's default otherwise", () => {
  for (const defaultShouldRevalidate of [true, false]) {
    const otherAction = { formAction: "/tipster-dashboard/payout", actionStatus: 409 };
    expect(shouldRevalidate(createArgs({ ...otherAction, defaultShouldRevalidate }))).toBe(
      defaultShouldRevalidate,
    );
  }
});
