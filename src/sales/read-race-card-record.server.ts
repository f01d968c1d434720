import { type CalendarDate, dateAt } from "#domain/calendar.ts";
import type { Figures } from "#domain/figures/figures.ts";
import { MAX_RACES, type Tip } from "#domain/tip.ts";
import { readFigures, readOverallRecord, readRankings } from "#records/records.server.ts";
import { type RaceCardPreview, readPublicTips } from "#tips/tips.server.ts";

type Tally = { settled: number; won: number };

/** A selection of a public race card, without its analysis. */
type PastSelection = Pick<
  Tip,
  "id" | "raceNumber" | "horseNumber" | "horseName" | "tipType" | "result" | "isClaim"
>;

/** The tipster's record, for a viewer who decides whether to open a race card. */
export type RaceCardRecord = Tally & {
  strikeRate: Figures["strikeRate"];
  /** The strike rate of all tipsters together, in per cent. */
  overallPercent: number | null;
  /** The record at the venue of the race card. */
  here: Tally;
  /** Null when too few tips are settled for a rank. */
  rank: number | null;
  /** The number of tipsters with a rank. */
  rankedCount: number;
  /** The outcomes of the last 20 tips, oldest first. */
  form: Figures["form"];
  /** The tipster's last race card at this venue before today, without analyses. */
  lastRaceCard: {
    id: string;
    raceDate: CalendarDate;
    /** When the first and the last selection was published. */
    published: [Date, Date];
    selections: PastSelection[];
  } | null;
};

/** Returns the record of a race card's tipster, and the last race card if the viewer has not opened this one. */
export async function readRaceCardRecord(
  { creator, venue }: Pick<RaceCardPreview, "creator" | "venue">,
  { at, isOpened }: { at: Date; isOpened: boolean },
): Promise<RaceCardRecord> {
  const [stored, overall, rankings, lastRaceCard] = await Promise.all([
    readFigures(creator.id),
    readOverallRecord(),
    readRankings(at),
    isOpened ? null : readLastRaceCard(creator.id, { venueId: venue.id, at }),
  ]);
  const figures = stored?.figures;
  const here = figures?.slices.venue.find(({ key }) => key === venue.slug);
  return {
    settled: figures?.settled ?? 0,
    won: figures?.won ?? 0,
    strikeRate: figures?.strikeRate ?? null,
    overallPercent: overall.settled === 0 ? null : (overall.won / overall.settled) * 100,
    here: { settled: here?.settled ?? 0, won: here?.won ?? 0 },
    rank: rankings.find((ranking) => ranking.creator.id === creator.id)?.rank ?? null,
    rankedCount: rankings.filter(({ rank }) => rank !== null).length,
    form: figures?.form ?? [],
    lastRaceCard,
  };
}

async function readLastRaceCard(
  creatorId: string,
  { venueId, at }: { venueId: string; at: Date },
): Promise<RaceCardRecord["lastRaceCard"]> {
  // The first race card can be one of today, of which only a part is public.
  const { tips } = await readPublicTips({ at, creatorId, venueId, limit: 2 * MAX_RACES });
  const today = dateAt(at);
  const past = tips.filter((tip) => tip.raceDate < today && !tip.isHidden);
  const [newest] = past;
  if (!newest) return null;
  const selections = past.filter(({ raceCardId }) => raceCardId === newest.raceCardId).reverse();
  const times = selections.map(({ publishedAt }) => publishedAt.getTime());
  return {
    id: newest.raceCardId,
    raceDate: newest.raceDate,
    published: [new Date(Math.min(...times)), new Date(Math.max(...times))],
    selections: selections.map(
      ({ id, raceNumber, horseNumber, horseName, tipType, result, isClaim }) => ({
        id,
        raceNumber,
        horseNumber,
        horseName,
        tipType,
        result,
        isClaim,
      }),
    ),
  };
}
