import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readableText, trimInvisible, unambiguousName } from "./readable-input.ts";

const HIDDEN = [
  "\u200B",
  "\u2800\u2800",
  "\u3164",
  "\u0301",
  "Naledi\u202EidelaN",
  "\u2066Naledi\u2069",
  "Nal\u200Dedi",
  "Nal\u00ADedi",
  "Naledi\uFE0F",
  "Lucky7\uFE0F",
  "#\uFE0E",
  "عل\u200Dي",
  "Nal\uD800edi",
  "\u{E0041}Naledi",
];
const READABLE = [
  "Naledi Khumalo",
  "O'Brien-Zulu 2",
  "Zoe\u0308 Müller",
  "محمد علی",
  "می\u200Cخواهم",
  "Зара",
  "明美",
  "Naledi 🏇",
  "Naledi 👩🏾\u200D🌾",
  "❤\uFE0F\u200D🔥",
  "1\uFE0F\u20E3",
];

const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success;

describe("a name", () => {
  const schema = v.pipe(v.string(), unambiguousName("Name"));
  it.each(HIDDEN)("is refused: %j", (name) => expect(accepts(schema, name)).toBe(false));
  it.each(READABLE)("is accepted: %j", (name) => expect(accepts(schema, name)).toBe(true));
  it.each(["Nаledi", "Line\nbreak"])(
    "is refused with a look-alike letter or a line break: %j",
    (name) => expect(accepts(schema, name)).toBe(false),
  );
});

describe("a pasted text", () => {
  const schema = v.pipe(v.string(), trimInvisible);
  it.each([
    ["\u200B\uFEFF thandi@example.test\u00A0\u202C", "thandi@example.test"],
    ["\u{E0041}a\u200Bb\u{E0041}", "a\u200Bb"],
    ["\u200B \u2060", ""],
    ["", ""],
  ])("loses the invisible characters around it: %j", (text, expected) =>
    expect(v.parse(schema, text)).toBe(expected),
  );
});

describe("a text", () => {
  const schema = v.pipe(v.string(), readableText("Bio"));
  it.each(HIDDEN)("is refused: %j", (text) => expect(accepts(schema, text)).toBe(false));
  it.each([...READABLE, "One\r\n\tTwo", "Nаledi", ""])("is accepted: %j", (text) =>
    expect(accepts(schema, text)).toBe(true),
  );
});

it("is refused with the name of its field", () => {
  const message = (check: v.GenericSchema) => v.safeParse(check, "a\u202E").issues?.[0].message;
  expect(message(v.pipe(v.string(), readableText("Bio")))).toBe(
    "Bio must not contain hidden characters",
  );
  expect(message(v.pipe(v.string(), unambiguousName("Jockey")))).toBe(
    "Jockey must use letters of one alphabet and no hidden characters",
  );
});
