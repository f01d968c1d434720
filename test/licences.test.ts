import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Licences that docs/licences.md allows. */
const ALLOWED = new Set([
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
/** Licences with conditions, and the packages whose use meets them. */
const CONDITIONAL: Record<string, RegExp> = {
  "MPL-2.0": /^(lightningcss(-.+)?|@resvg\/resvg-js(-.+)?|axe-core)$/,
  "LGPL-3.0-or-later": /^@img\/sharp-.+$/,
  "CC-BY-4.0": /^caniuse-lite$/,
};

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, { license?: string }>;
};
const installed = Object.entries(packages)
  .filter(([path]) => path !== "")
  .map(([path, { license }]) => ({ name: path.replace(/.*node_modules\//, ""), license }));

/** Returns true when any licence joined by OR, or every licence joined by AND, is allowed. */
function isAllowed(name: string, license: string | undefined): boolean {
  const isLicenceAllowed = (licence: string) =>
    ALLOWED.has(licence.trim()) || (CONDITIONAL[licence.trim()]?.test(name) ?? false);
  const expression = (license ?? "").replace(/[()]/g, "");
  return expression
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every(isLicenceAllowed));
}

describe("installed packages", () => {
  it("have an allowed licence", () => {
    expect(installed.length).toBeGreaterThan(300);
    const rejected = installed.filter(({ name, license }) => !isAllowed(name, license));
    expect(rejected).toEqual([]);
  });

  it("are rejected with any other licence", () => {
    for (const license of ["GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-2.0", "UNLICENSED", undefined])
      expect(isAllowed("something", license)).toBe(false);
    expect(isAllowed("something", "(MIT OR GPL-3.0)")).toBe(true);
    expect(isAllowed("something", "LGPL-3.0-or-later")).toBe(false);
  });
});
