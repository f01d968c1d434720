import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatTilePath, parseTilePath, type Tile } from "./tile-paths.ts";

const EXAMPLES: [Tile, string][] = [
  [{ level: 0, index: 0, width: 256 }, "tile/0/000"],
  [{ level: 0, index: 1_234_067, width: 256 }, "tile/0/x001/x234/067"],
  // The specification's log of 70,000 entries: 273 full tiles and one of 112 at level 0,
  // one full and one of 17 at level 1, one of 1 at level 2.
  [{ level: 0, index: 272, width: 256 }, "tile/0/272"],
  [{ level: 0, index: 273, width: 112 }, "tile/0/273.p/112"],
  [{ level: 1, index: 1, width: 17 }, "tile/1/001.p/17"],
  [{ level: 2, index: 0, width: 1 }, "tile/2/000.p/1"],
  [{ level: "entries", index: 999, width: 255 }, "tile/entries/999.p/255"],
  [{ level: "entries", index: 1_000, width: 256 }, "tile/entries/x001/000"],
  [{ level: 63, index: 1_000_000, width: 256 }, "tile/63/x001/x000/000"],
];

describe("tile paths", () => {
  test.each(EXAMPLES)("%o is %s", (tile, path) => {
    expect(formatTilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test("parse back to the same tile", () => {
    const tiles = fc.record({
      level: fc.oneof(fc.constant("entries" as const), fc.integer({ min: 0, max: 63 })),
      index: fc.maxSafeNat(),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(formatTilePath(tile))).toEqual(tile);
      }),
    );
  });

  test.each([
    "",
    "tile/0/0",
    "tile/0/67",
    "tile/0/0067",
    "tile/00/067",
    "tile/64/067",
    "tile/-1/067",
    "tile/0/x000/067",
    "tile/0/x000/x001/067",
    "tile/0/001/067",
    "tile/0/x001/x067",
    "tile/0/x001/x234/067/",
    "tile/0/067.p/0",
    "tile/0/067.p/01",
    "tile/0/067.p/256",
    "tile/0/067.p/",
    "tile/0/067.p",
    "tile/0/x999/x999/x999/x999/x999/999",
    "tile/0/x999/x999/x999/x999/x999/x999/999",
    "tile/entry/067",
    "tile/entries/067\n",
    "/tile/0/067",
    "tile/0/٠٦٧",
    "tile/0/../067",
  ])("refuses %j", (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  test.each([
    { level: 64, index: 0, width: 256 },
    { level: 0, index: -1, width: 256 },
    { level: 0, index: 2 ** 53, width: 256 },
    { level: 0, index: 0, width: 0 },
    { level: 0, index: 0, width: 257 },
    { level: 0.5, index: 0, width: 256 },
  ])("does not format %o", (tile) => {
    expect(() => formatTilePath(tile)).toThrow(RangeError);
  });
});
