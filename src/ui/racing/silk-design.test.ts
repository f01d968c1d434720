import { describe, expect, it } from "vitest";
import { silkDesign } from "./silk-design.ts";

const names = Array.from({ length: 400 }, (_, index) => `Tipster ${index}`);

describe("silkDesign", () => {
  it("returns the same design for a name, ignoring case and surrounding spaces", () => {
    expect(silkDesign("Thandi Mokoena")).toEqual(silkDesign("  thandi mokoena "));
  });

  it("returns at least 381 different designs for 400 names", () => {
    const designs = new Set(names.map((name) => JSON.stringify(silkDesign(name))));
    expect(designs.size).toBeGreaterThan(380);
  });

  it("never uses the same colour for ground and pattern", () => {
    for (const name of names) {
      const [ground, pattern] = silkDesign(name).colours;
      expect(pattern).not.toBe(ground);
    }
  });

  it("uses every pattern", () => {
    expect(new Set(names.map((name) => silkDesign(name).body)).size).toBe(10);
  });
});
