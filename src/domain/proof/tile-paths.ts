/** The number of hashes, or of entries, in a full tile (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
const HIGHEST_LEVEL = 63;

/** One file of the log's tree. Level 0 holds leaf hashes; "entries" holds the entries themselves. */
export type Tile = {
  level: number | "entries";
  index: number;
  /** 256 for a full tile, less for the newest one. */
  width: number;
};

/**
 * Returns the path of a tile: `tile/0/x001/x234/067`, or `tile/0/x001/x234/067.p/112` for a partial
 * tile of width 112. Throws for a tile that cannot exist.
 */
export function formatTilePath(tile: Tile): string {
  if (!isTile(tile)) throw new RangeError(`No such tile: ${JSON.stringify(tile)}`);
  const { level, index, width } = tile;
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${path}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** Parses the path of a tile. Returns null for any path that `formatTilePath` does not return. */
export function parseTilePath(path: string): Tile | null {
  const [, level, groups, width] =
    /^tile\/(\d{1,2}|entries)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
  if (level === undefined || groups === undefined) return null;
  const tile: Tile = {
    level: level === "entries" ? level : Number(level),
    index: Number(groups.replace(/[x/]/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  return isTile(tile) && formatTilePath(tile) === path ? tile : null;
}

function isTile({ level, index, width }: Tile): boolean {
  return (
    (level === "entries" || isIntegerIn(level, 0, HIGHEST_LEVEL)) &&
    isIntegerIn(index, 0, Number.MAX_SAFE_INTEGER) &&
    isIntegerIn(width, 1, TILE_WIDTH)
  );
}

function isIntegerIn(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
