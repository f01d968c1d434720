import type { Going } from "#domain/race-day.ts";
import type { Confidence, TipType } from "#domain/tip.ts";
import type { Voice } from "./people.ts";

/** The details that a sentence of an analysis may use: the race, the selection and one rival. */
export type RaceDetails = {
  horse: string;
  rival: string;
  draw: number;
  runners: number;
  distance: number;
  isMaiden: boolean;
  isHandicap: boolean;
  isStraight: boolean;
  isPolytrack: boolean;
  going: Going;
  windKmh: number;
  venue: string;
  tipType: TipType;
  confidence: Confidence;
};

/** Returns a sentence, or null if it does not apply to the race. */
export type Sentence = (race: RaceDetails) => string | null;

const when =
  (isTrue: (race: RaceDetails) => boolean, write: (race: RaceDetails) => string): Sentence =>
  (race) =>
    isTrue(race) ? write(race) : null;

const isLow = (race: RaceDetails) => race.draw <= 4;
const isWide = (race: RaceDetails) => race.draw >= race.runners - 2;
const isSprint = (race: RaceDetails) => race.distance <= 1200;
const isStaying = (race: RaceDetails) => race.distance >= 1800;
const isWet = (race: RaceDetails) => race.going === "Soft" || race.going === "Heavy";

/** The first sentence: names the selection. */
export const OPENING_SENTENCES: readonly Sentence[] = [
  ({ horse }) =>
    `${horse} has been knocking on the door and this is an easier race than the last three.`,
  ({ horse, distance }) => `${horse} over ${distance} m is the combination I have waited for.`,
  ({ horse, rival }) => `Most will start with ${rival}; I start and finish with ${horse}.`,
  ({ horse }) => `There is more to come from ${horse}, and I do not think the market has noticed.`,
  ({ horse, runners }) =>
    `Of the ${runners} here, ${horse} is the one with the fewest questions to answer.`,
  ({ horse }) =>
    `Forget the last line of form next to ${horse}: it does not tell you what happened.`,
  ({ horse, venue }) =>
    `${horse} comes back to ${venue}, and that matters more than anything else here.`,
  ({ horse }) => `${horse} is the one that has improved between every run so far.`,
  when(
    (race) => race.isMaiden,
    ({ horse }) => `A thin maiden, and ${horse} has shown more than any of them.`,
  ),
  when(
    (race) => race.isMaiden,
    ({ horse }) => `${horse} would have lost this tag already with an ounce of luck.`,
  ),
  when(
    (race) => race.isHandicap,
    ({ horse }) => `The handicapper has given ${horse} a chance, and they are right to take it.`,
  ),
  when(
    (race) => race.isHandicap,
    ({ horse }) => `${horse} is now rated below the mark of the last win, with no sign of decline.`,
  ),
  when(isSprint, ({ horse }) => `${horse} is simply quicker out of the gate than anything here.`),
  when(isStaying, ({ horse }) => `${horse} has been crying out for a trip like this.`),
  ({ horse }) => `I have gone back and forth, and I keep arriving at ${horse}.`,
  ({ horse, rival }) =>
    `${horse} and ${rival} stand apart from the rest, and I prefer the fresher of the two.`,
];

/** Sentences with evidence for the selection, by the writer's voice. */
export const EVIDENCE_SENTENCES: Record<Voice, readonly Sentence[]> = {
  paddock: [
    () =>
      "I saw the work on the training track on Tuesday: ears forward, never asked, and clear of a decent companion.",
    () => "The coat has come right at last, and with this family that is always the sign.",
    () =>
      "Gelded over the break, and a different animal in the parade ring last time: calm, and looking for the job.",
    () => "Looked a run short in condition last time and still picked them up from the 300.",
    () =>
      "Walks with purpose, switches off in the gate, and comes back from a race having eaten up. That is a horse in form.",
    () =>
      "Used to boil over before a race. The last twice there was hardly a wet neck, and the finishing effort followed.",
    () => "A big frame that took a season to fill. It is full now.",
    () =>
      "Blinkers go on for the first time, and watching the way this one idles in front, they will help.",
    () =>
      "The stable only travels this far when one is ready, and the groom has been smiling all week.",
    () => "Tightened up beautifully for the last run, and I expect another step.",
    () => "Shies from the whip and runs for hands: the change of rider suits.",
    () =>
      "Moved short to the start last time and never let down. Sound again on every morning I have watched.",
  ],
  clock: [
    () =>
      "Ran the last 400 in 22.9 last time out, the fastest of the meeting, from an impossible position.",
    () =>
      "Two starts ago the first 600 went in a time that would kill most of these, and the finish was still honest.",
    () =>
      "I have the last three runs within a length of each other on time, and nothing else here comes near it.",
    () =>
      "The race that last run came out of was a second quicker than the other division. Nobody has mentioned it.",
    () => "Adjusted for the slow early pace, that beaten run was a personal best by three lengths.",
    () =>
      "Quickens twice in a race. On my figures only two here can do that, and the other is drawn badly.",
    () => "The closing sectional was up on the winner's, and the winner has franked it since.",
    () => "A steady gallop hides what this one has. The clock does not.",
    () => "Slowly away, two lengths lost, beaten one and a half. You do the sum.",
    () =>
      "Over the same ground ten days ago the time was strong from start to finish, with a head wind.",
    () =>
      "I marked the last 200 as the best of the day, and it was run down the wrong side of the track.",
    () =>
      "Broke the 58-second barrier at home with the ears pricked, and I trust the man with the watch.",
  ],
  form: [
    () =>
      "The third has come out and won by four lengths, the fifth ran second next time. That is a strong race.",
    () =>
      "Met the favourite on worse terms last time and was closing at the line. The weights have turned around.",
    () => "Third run after a rest, and on the record that is always the peak run.",
    () => "Four starts this season, four times in the first three, against better than this.",
    () =>
      "Was stopped in the run twice at the 250 and lost no more than two lengths. A clear passage would have brought it closer.",
    () => "Drops in class after three honest efforts in the one above.",
    () =>
      "The stable had a quiet month and has had three winners since Saturday. They have turned the corner.",
    () =>
      "Held the merit rating against stronger fields all winter, and this is not a stronger field.",
    () => "Beaten a head by a horse that has gone up nine points since.",
    () => "Has never finished further back than fourth with this rider.",
    () => "The form of the last run looks ordinary until you take out the two that got first run.",
    () =>
      "Every time the gap between races has been under three weeks, there has been improvement. It is fifteen days.",
  ],
  angle: [
    () =>
      "The opening price will be double what it should be, because the last run was on television and looked bad.",
    () => "Everybody will be on the stable's other runner. This is the one that works ahead of it.",
    () => "I make this a 4 to 1 chance and expect nearer 8. That is the whole argument.",
    () =>
      "Three quarters of the early money went elsewhere last time, and it still ran on into fourth.",
    () => "The wind is worth two lengths to a horse that can sit behind another, and this one can.",
    () => "First time over this course, but second in the only race on one that rides like it.",
    () =>
      "The claim takes the weight under 54, and nothing at the head of the betting gets a claim.",
    () =>
      "Horses from this yard win first time after a change of surface, more often than chance allows.",
    () => "Ran a cracker when wrong in the paddock and cold in the betting. Imagine it fancied.",
    () => "No fluke last time: the pace was too slow, and it won despite it.",
    () => "Draws the eye on no column of the form guide, which is why the price is what it is.",
    () =>
      "The favourite has lost eleven of its last twelve at short prices. Somebody has to beat it.",
  ],
};

/** Sentences about the pace and position, based on the draw, the distance and the track. */
export const PACE_SENTENCES: readonly Sentence[] = [
  when(
    (race) => race.isStraight && isLow(race),
    ({ draw }) => `Gate ${draw} keeps to the rail all the way, where the ground has been quickest.`,
  ),
  when(
    (race) => race.isStraight && isWide(race),
    ({ draw }) =>
      `Drawn ${draw} on the outside rail, which has been no hardship on the straight course lately.`,
  ),
  when(
    (race) => race.isStraight,
    ({ distance }) =>
      `A straight ${distance} m asks one question, and this one has the answer: keep galloping.`,
  ),
  when(
    (race) => race.isStraight,
    () => "With no bend to hide behind, the honest horse wins, and that is what we have here.",
  ),
  when(
    (race) => !race.isStraight && isLow(race),
    ({ draw }) =>
      `Gate ${draw} means the box seat on the rail, two lengths off the leader, and a saved run.`,
  ),
  when(
    (race) => !race.isStraight && isLow(race),
    ({ draw }) => `From ${draw} the rider can take the shortest way round and wait.`,
  ),
  when(
    (race) => !race.isStraight && isWide(race),
    ({ draw }) =>
      `Gate ${draw} is awkward, so expect patience early and a run down the outside late.`,
  ),
  when(
    (race) => !race.isStraight && isWide(race),
    ({ draw }) =>
      `Wide in ${draw}, but there is no early pace inside, so the lead may come cheaply.`,
  ),
  ({ rival }) => `${rival} and one other want the lead, and they will cut each other's throats.`,
  ({ rival }) => `If ${rival} goes off as usual, there will be a tow into the race from the 600.`,
  () => "There is no pace on paper, and this is the one that can make its own.",
  ({ draw }) => `A middle draw in ${draw} leaves every choice open.`,
  when(
    (race) => race.venue === "Kenilworth" && !race.isStraight,
    () =>
      "The Kenilworth run-in is long enough to come from last, and short enough that you must have started by then.",
  ),
  when(
    (race) => race.venue === "Greyville" && !race.isPolytrack,
    () =>
      "Greyville's run-in is short, and a horse that turns for home in the first four usually stays there.",
  ),
  when(
    (race) => race.venue === "Greyville" && race.isPolytrack,
    () =>
      "On the Greyville poly they go round the turn in every race: position first, speed second.",
  ),
  when(
    (race) => race.venue === "Turffontein" && !race.isStraight,
    () => "The Turffontein hill finds out the ones who are only fit. This one is hard fit.",
  ),
  when(
    (race) => race.venue === "Vaal",
    () => "The Vaal straight gives everybody room, so there will be no excuses for traffic.",
  ),
  when(
    (race) => race.venue === "Scottsville",
    () =>
      "The uphill finish at Scottsville stops the flashy ones a hundred metres out. This is not a flashy one.",
  ),
  when(
    (race) => race.venue === "Fairview" && !race.isPolytrack,
    () =>
      "Downhill most of the way at Fairview, which flatters a big stride, and this one has a big stride.",
  ),
  when(
    (race) => race.venue === "Fairview" && race.isPolytrack,
    () =>
      "Kickback on the Fairview poly puts plenty of them off. Sitting handy avoids the lot of it.",
  ),
];

/** Sentences about the going and the weather. */
export const GOING_SENTENCES: readonly Sentence[] = [
  when(
    isWet,
    ({ going }) =>
      `The going is ${going.toLowerCase()}, and both wins came with cut in the ground.`,
  ),
  when(
    isWet,
    ({ horse }) =>
      `Rain has found a few of these out before. ${horse} is by a sire whose runners swim.`,
  ),
  when(
    isWet,
    () => "On wet ground I want a horse with a low, round action, and this is the only one.",
  ),
  when(
    (race) => race.going === "Heavy",
    () => "In going this deep, half of the field can be crossed out before the off.",
  ),
  when(
    (race) => race.going === "Fast",
    () => "Fast ground is a must, and for once it is there.",
  ),
  when(
    (race) => race.going === "Fast",
    () => "The track rides quick, which takes the stamina doubt away.",
  ),
  when(
    (race) => race.going === "Good",
    () => "Good going and a fair track: no excuses for anybody.",
  ),
  when(
    (race) => race.going === "Good",
    () => "Nothing about the going worries me.",
  ),
  when(
    (race) => race.windKmh >= 30,
    ({ windKmh }) => `With ${windKmh} km/h of wind about, cover is worth more than a good draw.`,
  ),
  when(
    (race) => race.windKmh < 10,
    () => "Not a breath of wind, so the leaders will not be stopped by it.",
  ),
  when(
    (race) => race.isPolytrack,
    () => "Has taken to the polytrack at once, which is not given to all of them.",
  ),
  ({ distance }) =>
    `The ${distance} m is within reach on the pedigree, and the way the last race ended says so too.`,
  () => "A strong rider has stayed with this one and let two others go.",
  () => "The weight is manageable, and the top two give away more than they can afford.",
];

/** Sentences about the risks of the selection. */
export const RISK_SENTENCES: readonly Sentence[] = [
  () => "The worry is the gate: one slow break and the plan is gone.",
  ({ rival }) => `${rival} is the danger, and I would not leave that one out of anything.`,
  () => "Fitness has to be taken on trust after the break.",
  () => "If the early pace collapses, something will come from behind that I have not thought of.",
  ({ rival }) => `I respect ${rival} and the stable it comes from, but not at the price.`,
  () => "The rider is young and can move too soon. That is the risk here, and it is a small one.",
  () => "Has to give weight away, which is why I stop short of shouting.",
  ({ rival }) => `Should ${rival} get an easy lead, we are all chasing.`,
  () => "There is an unraced one from a big yard. Watch the market in the last ten minutes.",
  () => "It is a competitive race and I would not argue with three others.",
];

const CLOSING_SENTENCES: Record<TipType, Record<Confidence, readonly string[]>> = {
  win: {
    high: [
      "One of my stronger selections today, to win.",
      "To win. My strongest selection here, but any favourite can lose.",
      "My main selection of the day, to win.",
      "To win: I rate its chance clearly above the price.",
      "The selection I rate highest on this card.",
      "My most confident selection this week.",
      "To win, at a price I think is fair.",
      "Top of my ratings by some way.",
    ],
    medium: [
      "A win bet at a fair price.",
      "To win, at a modest stake.",
      "Good enough for me to win.",
      "The percentage call to win it.",
      "To win, with a clear run.",
      "Win only.",
      "I side with the win and keep the stake level.",
      "The most likely winner in an open race.",
    ],
    low: [
      "To win at a price, for small money.",
      "A small win bet, because the price is wrong.",
      "More hope than certainty, but the price pays for both.",
      "Speculative, and I like it.",
      "A poke at long odds.",
      "Keep the stake small and the expectation smaller.",
      "Worth an interest to win.",
      "For those who can live with a loser.",
    ],
  },
  place: {
    high: [
      "A strong chance of finishing in the first three.",
      "The place selection I rate highest today.",
      "I expect a place, with the usual risks.",
      "For a place, with more confidence than most.",
      "For a place: consistent, and suited by the conditions.",
      "Likely to be involved at the finish.",
    ],
    medium: [
      "For a place.",
      "In the frame more often than not.",
      "A place bet, and the win would be a bonus.",
      "Place money looks fair here.",
      "To be in the three.",
      "Solid for the places.",
    ],
    low: [
      "A place at big odds.",
      "Could sneak a place.",
      "For a small place bet, no more.",
      "A place is possible, and the price says otherwise.",
      "Third would do nicely.",
      "An outside chance of a place.",
    ],
  },
  "each-way": {
    high: [
      "Each way: I rate its chance of a place highly.",
      "My each-way selection of the day.",
      "Each way, with the place as the likelier part.",
      "Each way, for the win and the place.",
      "Each way, as one of my stronger selections.",
    ],
    medium: [
      "Each way is the way to play it.",
      "An each-way chance at a decent price.",
      "Each way, because there are two I could not rule out.",
      "Half to win, half for a place, and I am content.",
      "Each way against the favourite.",
    ],
    low: [
      "A small each-way bet at long odds.",
      "Each way for pennies.",
      "If there is a shock, this may be it: each way.",
      "Each way at long odds, and more likely to lose than not.",
      "Big price, small each-way stake.",
    ],
  },
};

/** Returns the closing sentences for a tip type and confidence. */
export function closingSentences(tipType: TipType, confidence: Confidence): readonly Sentence[] {
  return CLOSING_SENTENCES[tipType][confidence].map((closing) => () => closing);
}
