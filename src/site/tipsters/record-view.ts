import { formatDate } from "#domain/calendar.ts";
import type { Figures } from "#domain/figures/figures.ts";
import type { Returns } from "#domain/figures/returns.ts";
import type { ProfitPoint } from "#domain/figures/runs.ts";
import type { StrikeRate } from "#domain/figures/strike-rate.ts";
import type { CreatorFigures, OverallRecord } from "#records/records.server.ts";
import type { ProfitChartPoint } from "#ui/charts/profit-chart.tsx";

/** A part of a record: a track, a tip type or a confidence. */
export type RecordSlice = {
  key: string;
  name: string;
  settled: number;
  won: number;
  strikeRate: StrikeRate;
};

/** The figures as the page of a tipster shows them. */
export type RecordView = Omit<
  Figures,
  "series" | "slices" | "tote" | "startingPrice" | "afterCards"
> & {
  computedAt: Date;
  lateTips: number;
  /** The strike rate of all tipsters together, in per cent. */
  overallPercent: number | null;
  /** The tipsters with a counted tip. */
  recordedCreators: number;
  startingPrice: Returns;
  /** The race cards with a counted tip, and the profit after tax and their price. */
  cards: number;
  profitAfterCardsCents: number;
  points: ProfitChartPoint[];
  venues: RecordSlice[];
  types: RecordSlice[];
  confidences: RecordSlice[];
};

/** About as many as a phone has room for. */
const MAX_POINTS = 40;

const TYPE_NAMES = { win: "Win", place: "Place", "each-way": "Each way" };
const CONFIDENCE_NAMES = { high: "High", medium: "Medium", low: "Low" };

/** Returns what the page shows of stored figures. The page does not receive more. */
export function toRecordView(
  { figures, computedAt, lateTips }: CreatorFigures,
  {
    overall,
    recordedCreators,
    venues,
  }: {
    overall: OverallRecord;
    recordedCreators: number;
    venues: readonly { slug: string; name: string }[];
  },
): RecordView {
  const { series, slices, tote: _, startingPrice, afterCards, ...rest } = figures;
  const venueNames = new Map(venues.map(({ slug, name }) => [slug, name]));
  return {
    ...rest,
    computedAt,
    lateTips,
    overallPercent: overall.settled === 0 ? null : (overall.won / overall.settled) * 100,
    recordedCreators,
    startingPrice,
    cards: afterCards.cards,
    profitAfterCardsCents: startingPrice.profitAfterTaxCents - afterCards.costCents,
    points: pickPoints(series).map(toChartPoint),
    venues: slices.venue.map((slice) => toSlice(slice, venueNames.get(slice.key) ?? slice.key)),
    types: slices.type.map((slice) => toSlice(slice, TYPE_NAMES[slice.key])),
    confidences: slices.confidence.map((slice) => toSlice(slice, CONFIDENCE_NAMES[slice.key])),
  };
}

function toSlice(
  { key, settled, won, strikeRate }: Omit<RecordSlice, "name">,
  name: string,
): RecordSlice {
  return { key, name, settled, won, strikeRate };
}

function toChartPoint(point: ProfitPoint): ProfitChartPoint {
  return {
    label: formatDate(point.raceDate),
    tips: point.tips,
    profit: point.profitCents,
    drawdown: point.drawdownCents,
    comparison: point.favouriteProfitCents,
  };
}

/** Returns points at equal distances, with the last one and the deepest fall. */
export function pickPoints(series: readonly ProfitPoint[]): ProfitPoint[] {
  const deepest = series.reduce(
    (worst, point) => (point.drawdownCents > (worst?.drawdownCents ?? 0) ? point : worst),
    series[0],
  );
  const step = Math.ceil(series.length / MAX_POINTS);
  return series.filter(
    (point, index) => (series.length - 1 - index) % step === 0 || point === deepest,
  );
}
