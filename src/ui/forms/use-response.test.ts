import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("handles the responses of all fetchers, because an effect that depends on them can be lost", async () => {
  const files = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(100);
  const dependents: string[] = [];
  for (const file of files) {
    const text = await readFile(`src/${file}`, "utf8");
    const copies = [...text.matchAll(/const (\w+) =[^;]*\bfetcher\.data\b/g)].map(
      ([, name]) => name,
    );
    const isResponse = new RegExp(
      `\\}, \\[[^\\]]*\\b(${["\\w+\\.data", ...copies].join("|")})\\b[^\\]]*\\]\\)`,
    );
    if (isResponse.test(text)) dependents.push(file);
  }
  expect(dependents).toEqual([]);
});
