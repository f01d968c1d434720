import { describe, expect, it } from "vitest";
import { createSilkDesign } from "./silk-design.ts";

const names = Array.from({ length: 400 }, (_, index) => `Tipster ${index}`);

describe("createSilkDesign", () => {
  it("returns the same design for a name, ignoring case and surrounding spaces", () => {
    expect(createSilkDesign("Thandi Mokoena")).toEqual(createSilkDesign("  thandi mokoena "));
  });

  it("returns at least 381 different designs for 400 names", () => {
    const designs = new Set(names.map((name) => JSON.stringify(createSilkDesign(name))));
    expect(designs.size).toBeGreaterThan(380);
  });

  it("never uses the same colour for ground and pattern", () => {
    for (const name of names) {
      const [ground, pattern] = createSilkDesign(name).colours;
      expect(pattern).not.toBe(ground);
    }
  });

  it("uses every pattern", () => {
    expect(new Set(names.map((name) => createSilkDesign(name).body)).size).toBe(10);
  });
});
