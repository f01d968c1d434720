import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { plantedFile } from "./fault.ts";
import { FAULTS } from "./faults.ts";

it.each(FAULTS.map((fault) => [fault.name, fault] as const))("%s: still applies", (_, fault) => {
  expect(plantedFile(fault).text).toContain(fault.replace);
  expect(fault.replace).not.toBe(fault.find);
  for (const file of fault.tests) expect(existsSync(file), file).toBe(true);
});

it("covers every area of the money, and no name twice", () => {
  const areas = new Set(FAULTS.map((fault) => fault.area));
  for (const area of [
    "wallet",
    "sales",
    "payments",
    "payouts",
    "tips",
    "domain",
    "platform",
    "admin",
  ])
    expect(areas).toContain(area);
  expect(new Set(FAULTS.map((fault) => fault.name)).size).toBe(FAULTS.length);
});

it("refuses a fault whose text is missing or ambiguous", () => {
  const fault = FAULTS.find((each) => "file" in each);
  if (!fault) throw new Error("there is no fault in a file");
  expect(() => plantedFile({ ...fault, find: "no such text anywhere" })).toThrow("occurs 0 times");
  expect(() => plantedFile({ ...fault, find: "e" })).toThrow(/occurs \d+ times/);
});
