import {
  closingSentences,
  EVIDENCE_SENTENCES,
  GOING_SENTENCES,
  OPENING_SENTENCES,
  PACE_SENTENCES,
  type RaceDetails,
  RISK_SENTENCES,
  type Sentence,
} from "./analysis-sentences.ts";
import type { Voice } from "./people.ts";
import type { Random } from "./random.ts";

/**
 * Creates the function that writes the analyses of one race card for a voice. Repeats a sentence
 * only when no unused sentence applies to the race.
 */
export function createAnalysisWriter(
  voice: Voice,
  random: Random,
): (race: RaceDetails, isLong: boolean) => string {
  const used = new Map<Sentence, number>();
  const orders = new Map<readonly Sentence[], Sentence[]>();

  const nextSentence = (candidates: readonly Sentence[], race: RaceDetails): string => {
    const order = orders.get(candidates) ?? random.shuffle(candidates);
    orders.set(candidates, order);
    let best: { sentence: Sentence; text: string } | null = null;
    for (const sentence of order) {
      const text = sentence(race);
      if (text === null) continue;
      if (!best || (used.get(sentence) ?? 0) < (used.get(best.sentence) ?? 0))
        best = { sentence, text };
    }
    if (!best) return "";
    used.set(best.sentence, (used.get(best.sentence) ?? 0) + 1);
    return best.text;
  };
  const closings = new Map<string, readonly Sentence[]>();
  const closingSentence = (race: RaceDetails) => {
    const key = `${race.tipType} ${race.confidence}`;
    const candidates = closings.get(key) ?? closingSentences(race.tipType, race.confidence);
    closings.set(key, candidates);
    return nextSentence(candidates, race);
  };

  return (race, isLong) => {
    const texts = [
      nextSentence(OPENING_SENTENCES, race),
      nextSentence(EVIDENCE_SENTENCES[voice], race),
    ];
    if (isLong) texts.push(nextSentence(EVIDENCE_SENTENCES[voice], race));
    texts.push(nextSentence(PACE_SENTENCES, race));
    if (isLong || random.chance(0.6)) texts.push(nextSentence(GOING_SENTENCES, race));
    if (isLong || race.confidence !== "high") texts.push(nextSentence(RISK_SENTENCES, race));
    texts.push(closingSentence(race));
    return texts.filter((text) => text !== "").join(" ");
  };
}
