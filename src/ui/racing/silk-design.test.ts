import { describe, expect, it } from "vitest";
import { silkDesign } from "./silk-design.ts";

const names = Array.from({ length: 400 }, (_, index) => `Tipster ${index}`);

describe("silks from a name", () => {
  it("are the same every time the name is drawn, whatever its case and the spaces round it", () => {
    expect(silkDesign("Thandi Mokoena")).toEqual(silkDesign("  thandi mokoena "));
  });

  it("differ between people", () => {
    const drawn = new Set(names.map((name) => JSON.stringify(silkDesign(name))));
    expect(drawn.size).toBeGreaterThan(380);
  });

  it("never hide the pattern in the ground", () => {
    for (const name of names) {
      const [ground, pattern] = silkDesign(name).colours;
      expect(pattern).not.toBe(ground);
    }
  });

  it("use every pattern of the turf", () => {
    expect(new Set(names.map((name) => silkDesign(name).body)).size).toBe(10);
  });
});
