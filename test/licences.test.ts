import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What may be used and passed on, as docs/licences.md says. */
const FREE = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0",
  "Zlib",
  "Apache-2.0",
]);
/** What comes with conditions, and the packages that are used within them. */
const WITH_CONDITIONS: Record<string, RegExp> = {
  "MPL-2.0": /^(lightningcss(-.+)?|@resvg\/resvg-js(-.+)?|axe-core|@axe-core\/playwright)$/,
  "LGPL-3.0-or-later": /^@img\/sharp-.+$/,
  "CC-BY-4.0": /^caniuse-lite$/,
};

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, { license?: string }>;
};
const known = Object.entries(packages)
  .filter(([path]) => path !== "")
  .map(([path, { license }]) => ({ name: path.replace(/.*node_modules\//, ""), license }));

/** Of several with OR one is enough; with AND all have to be kept. */
function mayBeUsed(name: string, license: string | undefined): boolean {
  const one = (each: string) =>
    FREE.has(each.trim()) || (WITH_CONDITIONS[each.trim()]?.test(name) ?? false);
  const said = (license ?? "").replace(/[()]/g, "");
  return said.split(" OR ").some((either) => either.split(" AND ").every(one));
}

describe("the packages we use", () => {
  it("each have a licence that we keep", () => {
    expect(known.length).toBeGreaterThan(300);
    const refused = known.filter(({ name, license }) => !mayBeUsed(name, license));
    expect(refused).toEqual([]);
  });

  it("would be refused with another", () => {
    for (const license of ["GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-2.0", "UNLICENSED", undefined])
      expect(mayBeUsed("something", license)).toBe(false);
    expect(mayBeUsed("something", "(MIT OR GPL-3.0)")).toBe(true);
    expect(mayBeUsed("something", "LGPL-3.0-or-later")).toBe(false);
  });
});
