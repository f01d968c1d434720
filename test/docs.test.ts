import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FILE = /`([a-z][\w/.-]*\/[\w.-]+\.(?:tsx?|mjs|sql))`/g;

/** The files that a text names in backticks and that exist neither at the root nor in src. */
function missingFiles(text: string): string[] {
  const names = [...text.matchAll(FILE)].map(([, name = ""]) => name);
  return names.filter((name) => !existsSync(name) && !existsSync(`src/${name}`));
}

it.each(["README.md", "CONTRIBUTING.md", "docs/flows.md", "docs/support.md", "docs/operations.md"])(
  "%s names only files that exist",
  (path) => {
    expect(missingFiles(readFileSync(path, "utf8"))).toEqual([]);
  },
);

it("reports a file that does not exist", () => {
  expect(missingFiles("see `sales/no-such-file.server.ts`")).toEqual([
    "sales/no-such-file.server.ts",
  ]);
});
