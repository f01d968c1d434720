import {
  closingsOf,
  DOUBTS,
  EVIDENCE,
  GROUNDS,
  OPENINGS,
  type Piece,
  type RaceDetails,
  SHAPES,
} from "./analysis-pieces.ts";
import type { Dice } from "./dice.ts";
import type { Voice } from "./people.ts";

/**
 * A writer for one card: from race to race the same voice, and no sentence twice as long as there is
 * another that is true of the race.
 */
export function writerOf(
  voice: Voice,
  chance: Dice,
): (race: RaceDetails, isLong: boolean) => string {
  const used = new Map<Piece, number>();
  const orders = new Map<readonly Piece[], Piece[]>();

  const say = (pieces: readonly Piece[], race: RaceDetails): string => {
    const order = orders.get(pieces) ?? chance.shuffle(pieces);
    orders.set(pieces, order);
    let best: { piece: Piece; text: string } | null = null;
    for (const piece of order) {
      const text = piece(race);
      if (text === null) continue;
      if (!best || (used.get(piece) ?? 0) < (used.get(best.piece) ?? 0)) best = { piece, text };
    }
    if (!best) return "";
    used.set(best.piece, (used.get(best.piece) ?? 0) + 1);
    return best.text;
  };
  const closings = new Map<string, readonly Piece[]>();
  const close = (race: RaceDetails) => {
    const key = `${race.tipType} ${race.confidence}`;
    const pieces = closings.get(key) ?? closingsOf(race.tipType, race.confidence);
    closings.set(key, pieces);
    return say(pieces, race);
  };

  return (race, isLong) => {
    const sentences = [say(OPENINGS, race), say(EVIDENCE[voice], race)];
    if (isLong) sentences.push(say(EVIDENCE[voice], race));
    sentences.push(say(SHAPES, race));
    if (isLong || chance.chance(0.6)) sentences.push(say(GROUNDS, race));
    if (isLong || race.confidence !== "high") sentences.push(say(DOUBTS, race));
    sentences.push(close(race));
    return sentences.filter((sentence) => sentence !== "").join(" ");
  };
}
