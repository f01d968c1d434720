import type { ShouldRevalidateFunctionArgs } from "react-router";
import { expect, test } from "vitest";
import { revalidateAfterConflict } from "./revalidate-after-conflict.ts";

function createArgs(actionStatus: number | undefined, defaultShouldRevalidate: boolean) {
  const url = new URL("https://furlong.test/admin/results");
  return {
    currentUrl: url,
    nextUrl: url,
    currentParams: {},
    nextParams: {},
    actionStatus,
    defaultShouldRevalidate,
  } as ShouldRevalidateFunctionArgs;
}

test("revalidates after a conflict", () => {
  expect(revalidateAfterConflict(createArgs(409, false))).toBe(true);
});

test.each([undefined, 200, 422, 503])("follows the router's default after status %s", (status) => {
  for (const isDefault of [true, false])
    expect(revalidateAfterConflict(createArgs(status, isDefault))).toBe(isDefault);
});
