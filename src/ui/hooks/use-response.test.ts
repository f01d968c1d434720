import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("handles the responses of all fetchers, because an effect that depends on them can be lost", async () => {
  const files = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(100);
  const dependents: string[] = [];
  for (const file of files)
    if (/\}, \[[^\]]*\w\.data\b[^\]]*\]\)/.test(await readFile(`src/${file}`, "utf8")))
      dependents.push(file);
  expect(dependents).toEqual([]);
});
