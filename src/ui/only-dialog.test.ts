import { expect, it } from "vitest";
import { isDialogOnly, withoutDialog } from "./only-dialog.ts";

const step = (from: string, to: string, formMethod?: string) => ({
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
])("from %s to %s, only the dialog changes: %s", (from, to, expected) => {
  expect(isDialogOnly(step(from, to))).toBe(expected);
});

it("a form that was sent is never only a dialog", () => {
  expect(isDialogOnly(step("/", "/?buy-coins", "POST"))).toBe(false);
});

it("the address of a page is the same whatever dialog is open over it", () => {
  expect(withoutDialog({ pathname: "/", search: "?buy-coins&venue=vaal" })).toBe("/?venue=vaal");
  expect(withoutDialog({ pathname: "/my-cards", search: "?profile" })).toBe("/my-cards");
});
