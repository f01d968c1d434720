import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ALERT_LABELS } from "#platform/alert-kinds.ts";

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

it("has a first step for every kind of alert, under its label", () => {
  const support = readFileSync("docs/support.md", "utf8");
  const rows = [...support.matchAll(/^\| (.+?) +\| .+ \|$/gm)].map(([, label]) => label);
  for (const label of Object.values(ALERT_LABELS)) expect(rows).toContain(label);
});
