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
const dyes: readonly (readonly [string, number])[] = [
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

const bodies: readonly SilkPattern[] = [
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
const sleeves = ["plain", "hoops", "armlet", "spots"] as const;
const caps = ["plain", "quarters", "hoop", "spots", "star"] as const;

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return value >>> 0;
}

/** Returns the silks of a name. The same name always has the same silks, on every machine. */
export function silkDesign(name: string): SilkDesign {
  let state = hash(name.trim().toLowerCase());
  const draw = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)] as Item;

  const ground = pick(dyes);
  const pattern = pick(dyes.filter((dye) => Math.abs(dye[1] - ground[1]) >= 26));
  const third = pick([
    ground,
    pattern,
    ...dyes.filter((dye) => Math.abs(dye[1] - ground[1]) >= 20),
  ]);
  return {
    body: pick(bodies),
    sleeves: pick(sleeves),
    cap: pick(caps),
    colours: [ground[0], pattern[0], third[0]],
  };
}
