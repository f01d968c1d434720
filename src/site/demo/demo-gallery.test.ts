import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const UI = "src/ui";
const GALLERY = "src/site/demo/demo-gallery.page.tsx";

/** The components that a file shows, straight away or when they are needed. */
function shownBy(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from |import\()"(?:#ui|\.)\/([\w-]+\.tsx)"/g)].map(
    ([, name]) => name as string,
  );
}

it("shows every component of the kit, by itself or as a part of another", () => {
  const seen = new Set<string>();
  const look = (file: string) => {
    for (const name of shownBy(file)) {
      if (seen.has(name)) continue;
      seen.add(name);
      look(join(UI, name));
    }
  };
  look(GALLERY);
  const components = readdirSync(UI).filter((name) => /^[\w-]+\.tsx$/.test(name));
  expect(components.length).toBeGreaterThan(40);
  expect(components.filter((name) => !seen.has(name))).toEqual([]);
});
