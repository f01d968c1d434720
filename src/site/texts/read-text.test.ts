import { createElement as element, Fragment } from "react";
import { expect, it } from "vitest";
import { readText, splitAtHeadings, type Text, toText } from "./read-text.ts";

const Price = () => "4 coins";
const OPENING = [element("h1", null, "Terms"), element("p", null, "For all.")];

const textOf =
  (...nodes: ReturnType<typeof element>[]): Text =>
  () =>
    element(Fragment, null, ...nodes) as ReturnType<Text>;

it("reads title, lead, introduction, sections and closing of a text", () => {
  const text = textOf(
    ...[element("aside", null, "Help"), ...OPENING, element("blockquote", null, "In short")],
    ...[element("h2", null, "Refunds [#refunds]"), element("p", null, "None.")],
    ...[element("h2", null, "What ", element(Price), " open [#what-opens]")],
    element("hr"),
    element("p", null, "Questions?"),
  );
  const { above, title, lead, introduction, sections, closing } = readText(text, {});
  expect([above, title, lead, introduction, closing].map(toText)).toEqual([
    "Help",
    "Terms",
    "For all.",
    "In short",
    "Questions?",
  ]);
  expect(sections.map(({ id, title, body }) => [id, title, toText(body)])).toEqual([
    ["refunds", "Refunds", "None."],
    ["what-opens", "What 4 coins open", ""],
  ]);
});

it("refuses a heading without an anchor, and a text without a title or lead", () => {
  const heading = element("h2", null, "Refunds");
  expect(() => splitAtHeadings(heading, "h2")).toThrow('"Refunds [#name]"');
  expect(() => readText(textOf(element("p", null, "None.")), {})).toThrow("# Title");
  expect(() => readText(textOf(element("h1", null, "Terms"), element("ul")), {})).toThrow(
    "# Title",
  );
});
