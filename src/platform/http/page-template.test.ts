import { randomBytes, randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  createPageTemplate,
  fillTemplate,
  fillTemplateAsGzip,
  type Marker,
  type PageTemplate,
} from "./page-template.server.ts";

const KEY = randomUUID();
const NAME = `name${randomBytes(16).toString("hex")}`;
const markers: Marker[] = [
  { text: KEY, value: "key", hasFixedLength: true },
  { text: NAME, value: "name", hasFixedLength: false },
  { text: `&amp;${NAME}`, value: "escapedName", hasFixedLength: false },
];

function template(page: string): PageTemplate {
  const created = createPageTemplate(page, markers);
  if (!created) throw new Error("the page has no template");
  return created;
}

describe("a page template", () => {
  const values = () => ({ key: randomUUID(), name: "Thandi", escapedName: "&lt;b&gt;" });
  const replaceMarkers = (page: string, { key, name, escapedName }: ReturnType<typeof values>) =>
    page.replaceAll(`&amp;${NAME}`, escapedName).replaceAll(NAME, name).replaceAll(KEY, key);

  const race = (n: number) => `<li>Race ${(n * 7_919) % 1_009} of ${n}</li>`;
  const long = (from: number) => Array.from({ length: 3_000 }, (_, n) => race(from + n)).join("");

  it.each([
    ["without a marker", "plain text"],
    ["of one marker only", KEY],
    ["that begins and ends with a marker", `${NAME}text${KEY}`],
    ["with adjacent markers", `a${KEY}${KEY}${NAME}${NAME}b`],
    ["with a marker inside a longer one", `a &amp;${NAME} and ${NAME}`],
    ["with characters of several bytes", `é ${KEY} \u00a0 ${NAME} 🐎 ${KEY} é`],
    ["longer than the window", `${long(0)}${KEY}${long(0)}${NAME}${long(0)}${KEY}${long(9)}`],
  ])("fills a page %s, both plain and gzipped", (_, page) => {
    const pageTemplate = template(page);
    for (let turn = 0; turn < 3; turn += 1) {
      const responseValues = { ...values(), name: "Thandi".repeat(turn) };
      const expected = replaceMarkers(page, responseValues);
      expect(fillTemplate(pageTemplate, responseValues).toString()).toBe(expected);
      expect(gunzipSync(fillTemplateAsGzip(pageTemplate, responseValues)).toString()).toBe(
        expected,
      );
    }
  });

  it("does not leak the marker or the values of an earlier response", () => {
    // Contains parts of the markers, which a compressor would replace with back-references to the values.
    const page = `${KEY} ${KEY.slice(0, 30)} ${long(0)} ${KEY} ${NAME.slice(0, 30)} ${NAME}`;
    const pageTemplate = template(page);
    const first = { key: randomUUID(), name: "First Person", escapedName: "" };
    const second = { key: randomUUID(), name: "Second", escapedName: "" };
    for (const responseValues of [first, second, first])
      expect(gunzipSync(fillTemplateAsGzip(pageTemplate, responseValues)).toString()).toBe(
        replaceMarkers(page, responseValues),
      );
    const html = gunzipSync(fillTemplateAsGzip(pageTemplate, second)).toString();
    expect(html).not.toContain("First Person");
    expect(html).not.toContain(first.key);
  });

  it("is compressed nearly as well as a whole page", () => {
    const page = `${long(0)}${KEY}${long(0)}${KEY}${long(0)}`;
    const responseValues = values();
    const whole = gzipSync(replaceMarkers(page, responseValues)).byteLength;
    expect(fillTemplateAsGzip(template(page), responseValues).byteLength).toBeLessThan(
      whole * 1.05,
    );
  });

  it("encodes repeats of a fixed-length value as back-references", () => {
    const responseValues = values();
    const once = fillTemplateAsGzip(
      template(`${KEY}${"<p>a</p>".repeat(50)}`),
      responseValues,
    ).byteLength;
    const often = fillTemplateAsGzip(template(`${KEY}<p>a</p>`.repeat(50)), responseValues);
    expect(often.byteLength).toBeLessThan(once + 50);
    expect(gunzipSync(often).toString()).toBe(`${responseValues.key}<p>a</p>`.repeat(50));
  });

  it.each([..."\0\x01\x08\x0b\x0c\x0e\x1f"])(
    "is not created for a page with the control character %j",
    (character) => {
      expect(createPageTemplate(`a${character}b`, markers)).toBeNull();
      expect(createPageTemplate("tab\t line\r\n", markers)).not.toBeNull();
    },
  );

  it("is not filled when a value is missing", () => {
    expect(() => fillTemplate(template(`a${KEY}`), {})).toThrow("key");
    expect(() => fillTemplateAsGzip(template(`a${KEY}`), {})).toThrow("key");
  });
});
