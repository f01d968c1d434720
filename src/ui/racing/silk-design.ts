export type SilkPattern =
  | "plain"
  | "hoops"
  | "chevron"
  | "quarters"
  | "sash"
  | "stars"
  | "diamonds"
  | "spots"
  | "stripes"
  | "halved";

export type SilkDesign = {
  body: SilkPattern;
  sleeves: "plain" | "hoops" | "armlet" | "spots";
  cap: "plain" | "quarters" | "hoop" | "spots" | "star";
  /** Three colours: the ground, the pattern, and cap or sleeves. */
  colours: readonly [string, string, string];
};

// Racing colours that are readable in both themes, with their lightness for the contrast between
// ground and pattern.
const DYES: readonly (readonly [string, number])[] = [
  ["#1f3f99", 28],
  ["#bf1f2e", 38],
  ["#0f7048", 42],
  ["#f2d43a", 85],
  ["#20242a", 15],
  ["#f8f4ea", 96],
  ["#5c2c86", 30],
  ["#ec86ab", 68],
  ["#74b8e2", 71],
  ["#e66a1f", 58],
  ["#6b1a2c", 23],
  ["#9aa3a3", 65],
];

const BODY_PATTERNS: readonly SilkPattern[] = [
  "hoops",
  "chevron",
  "quarters",
  "sash",
  "stars",
  "diamonds",
  "spots",
  "stripes",
  "halved",
  "plain",
];
const SLEEVE_PATTERNS = ["plain", "hoops", "armlet", "spots"] as const;
const CAP_PATTERNS = ["plain", "quarters", "hoop", "spots", "star"] as const;

function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return value >>> 0;
}

/** Returns the silks of a name. The same name always has the same silks, on every machine. */
export function createSilkDesign(name: string): SilkDesign {
  let state = hashText(name.trim().toLowerCase());
  const drawNumber = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
  const drawItem = <Item>(items: readonly Item[]): Item => items[drawNumber(items.length)] as Item;

  const ground = drawItem(DYES);
  const pattern = drawItem(DYES.filter((dye) => Math.abs(dye[1] - ground[1]) >= 26));
  const third = drawItem([
    ground,
    pattern,
    ...DYES.filter((dye) => Math.abs(dye[1] - ground[1]) >= 20),
  ]);
  return {
    body: drawItem(BODY_PATTERNS),
    sleeves: drawItem(SLEEVE_PATTERNS),
    cap: drawItem(CAP_PATTERNS),
    colours: [ground[0], pattern[0], third[0]],
  };
}
