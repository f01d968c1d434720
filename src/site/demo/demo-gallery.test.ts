import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const UI_FOLDER = "src/ui";
const GALLERY_FILE = "src/site/demo/demo-gallery.page.tsx";

/**
 * Returns the components that a file imports, statically or dynamically, as paths below `src/ui`.
 */
function listImportedComponents(file: string, folder: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from |import\()"(#ui|\.)\/([\w/-]+\.tsx)"/g)].map(
    ([, base, path]) => (base === "#ui" ? (path as string) : join(folder, path as string)),
  );
}

it("shows every component of src/ui, directly or inside another component", () => {
  const shownComponents = new Set<string>();
  const visit = (file: string, folder: string) => {
    for (const path of listImportedComponents(file, folder)) {
      if (shownComponents.has(path)) continue;
      shownComponents.add(path);
      visit(join(UI_FOLDER, path), join(path, ".."));
    }
  };
  visit(GALLERY_FILE, "");
  const components = readdirSync(UI_FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".tsx") && !path.endsWith(".test.tsx"),
  );
  expect(components.length).toBeGreaterThan(40);
  expect(components.filter((path) => !shownComponents.has(path))).toEqual([]);
});
