import * as v from "valibot";
import { expect, it } from "vitest";
import { findIdInText, isId } from "./id.ts";

const ID = "01a20539-b444-7921-8bd5-840cd43cef46";

it.each([
  [ID, true],
  [ID.toUpperCase(), true],
  ["00000000-0000-0000-0000-000000000000", true],
  ["", false],
  [ID.slice(1), false],
  [`${ID}0`, false],
  [` ${ID}`, false],
  [`${ID}\n`, false],
  [ID.replaceAll("-", ""), false],
  [ID.replace("a", "g"), false],
  ["-".repeat(36), false],
])("given %j, returns %s, as request schemas do", (text, expected) => {
  expect(isId(text)).toBe(expected);
  expect(v.is(v.pipe(v.string(), v.uuid()), text)).toBe(expected);
});

it.each([
  [ID, ID],
  [` ${ID.toUpperCase()} `, ID],
  [`https://furlong.example/race-cards/${ID}?from=mail#race-1`, ID],
  [`cs_test_${ID}`, null],
  [`${ID}0`, null],
  ["", null],
])("finds in %j the id %s", (text, expected) => expect(findIdInText(text)).toBe(expected));
