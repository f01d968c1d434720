import { expect, it } from "vitest";
import { isDialogNavigation, removeDialogParameters } from "./dialog-navigation.ts";

const createArgs = (from: string, to: string, formMethod?: string) => ({
  currentUrl: new URL(from, "http://localhost"),
  nextUrl: new URL(to, "http://localhost"),
  formMethod,
});

it.each([
  ["/", "/?buy-coins", true],
  ["/?venue=vaal", "/?venue=vaal&tipster=thandi", true],
  ["/?tipster=a&venue=vaal", "/?venue=vaal", true],
  ["/", "/?venue=vaal", false],
  ["/?buy-coins", "/help", false],
  ["/", "/", false],
])("reports whether only the dialog changes from %s to %s: %s", (from, to, expected) => {
  expect(isDialogNavigation(createArgs(from, to))).toBe(expected);
});

it("returns false for a submitted form", () => {
  expect(isDialogNavigation(createArgs("/", "/?buy-coins", "POST"))).toBe(false);
});

it("returns the same page URL for every open dialog", () => {
  expect(removeDialogParameters({ pathname: "/", search: "?buy-coins&venue=vaal" })).toBe(
    "/?venue=vaal",
  );
  expect(removeDialogParameters({ pathname: "/my-cards", search: "?profile" })).toBe("/my-cards");
});
