/** Dice that always fall the same way for the same words: the demo of a day is the same everywhere. */
export type Dice = {
  /** From 0 up to, but never, 1. */
  roll(): number;
  /** A whole number from the first to the second, both included. */
  between(from: number, to: number): number;
  /** True so often, from 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** The same things in another order. */
  shuffle<T>(things: readonly T[]): T[];
};

export function dice(...words: (string | number)[]): Dice {
  let state = seedOf(words.join("|"));
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(roll() * (to - from + 1));
  return {
    roll,
    between,
    chance: (probability) => roll() < probability,
    pick: (from) => from[between(0, from.length - 1)] as never,
    shuffle(things) {
      const shuffled = [...things];
      for (let index = shuffled.length - 1; index > 0; index -= 1) {
        const other = between(0, index);
        [shuffled[index], shuffled[other]] = [shuffled[other] as never, shuffled[index] as never];
      }
      return shuffled;
    },
  };
}

function seedOf(text: string): number {
  let seed = 2166136261;
  for (let index = 0; index < text.length; index += 1)
    seed = Math.imul(seed ^ text.charCodeAt(index), 16777619);
  return seed;
}
