import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FILE_NAME = /`([a-z][\w/.-]*\/[\w.-]+\.(?:tsx?|mjs|sql))`/g;

/** Returns the files named in backticks that exist neither in the root folder nor in src. */
function findMissingFiles(text: string): string[] {
  const names = [...text.matchAll(FILE_NAME)].map(([, name = ""]) => name);
  return names.filter((name) => !existsSync(name) && !existsSync(`src/${name}`));
}

it.each(["README.md", "CONTRIBUTING.md", "docs/flows.md", "docs/support.md", "docs/operations.md"])(
  "%s names only files that exist",
  (path) => {
    expect(findMissingFiles(readFileSync(path, "utf8"))).toEqual([]);
  },
);

it("reports a file that does not exist", () => {
  expect(findMissingFiles("see `sales/no-such-file.server.ts`")).toEqual([
    "sales/no-such-file.server.ts",
  ]);
});
