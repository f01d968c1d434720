import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { mutatedFile } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  "applies to the current source: %s",
  (_, mutant) => {
    expect(mutatedFile(mutant).text).toContain(mutant.replace);
    expect(mutant.replace).not.toBe(mutant.find);
    for (const file of mutant.tests) expect(existsSync(file), file).toBe(true);
  },
);

it("covers every area and has unique names", () => {
  const areas = new Set(MUTANTS.map((mutant) => mutant.area));
  for (const area of [
    "wallet",
    "sales",
    "payments",
    "payouts",
    "racing",
    "tips",
    "domain",
    "platform",
    "admin",
  ])
    expect(areas).toContain(area);
  expect(new Set(MUTANTS.map((mutant) => mutant.name)).size).toBe(MUTANTS.length);
});

it("refuses a mutant whose text is missing or ambiguous", () => {
  const mutant = MUTANTS.find((candidate) => "file" in candidate);
  if (!mutant) throw new Error("no mutant is in a TypeScript file");
  expect(() => mutatedFile({ ...mutant, find: "no such text anywhere" })).toThrow("occurs 0 times");
  expect(() => mutatedFile({ ...mutant, find: "e" })).toThrow(/occurs \d+ times/);
});
