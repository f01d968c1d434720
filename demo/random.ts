/** A seeded random number generator: the same seed gives the same demo data on every machine. */
export type Random = {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** Returns true with the given probability, from 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns a shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
};

export function seededRandom(...seed: (string | number)[]): Random {
  let state = hash(seed.join("|"));
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)] as never,
    shuffle(items) {
      const shuffled = [...items];
      for (let index = shuffled.length - 1; index > 0; index -= 1) {
        const swapIndex = between(0, index);
        [shuffled[index], shuffled[swapIndex]] = [
          shuffled[swapIndex] as never,
          shuffled[index] as never,
        ];
      }
      return shuffled;
    },
  };
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 2166136261;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  return value;
}
