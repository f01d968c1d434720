import { formatStartingPrice } from "#domain/race-result.ts";
import type { DownloadedTip } from "./downloaded-tip.ts";

type Cell = string | number;

/** A column of the CSV download of a record. */
type RecordColumn = {
  name: string;
  /** The field of a tip in the JSON download. */
  field: keyof DownloadedTip;
  description: string;
  cell: (tip: DownloadedTip) => Cell;
};

const rand = (cents: number | null | undefined): string =>
  cents === null || cents === undefined ? "" : (cents / 100).toFixed(2);
const yes = (value: boolean): string => (value ? "yes" : "no");

/** The columns of the CSV download, in their order. The page of the downloads lists them. */
export const RECORD_COLUMNS: readonly RecordColumn[] = [
  {
    name: "date",
    field: "raceDate",
    description: "The race date.",
    cell: (tip) => tip.raceDate,
  },
  {
    name: "venue",
    field: "venueSlug",
    description: "The racetrack.",
    cell: (tip) => tip.venueSlug,
  },
  {
    name: "race",
    field: "raceNumber",
    description: "The number of the race.",
    cell: (tip) => tip.raceNumber,
  },
  {
    name: "off",
    field: "offAt",
    description:
      "When the race was off, in UTC: as in the official result, otherwise as it was last known.",
    cell: (tip) => tip.offAt ?? "",
  },
  {
    name: "distance_m",
    field: "distanceMetres",
    description: "The distance in metres.",
    cell: (tip) => tip.distanceMetres ?? "",
  },
  {
    name: "surface",
    field: "surface",
    description: "turf, polytrack or sand.",
    cell: (tip) => tip.surface ?? "",
  },
  {
    name: "type",
    field: "tipType",
    description: "win, place or each-way.",
    cell: (tip) => tip.tipType,
  },
  {
    name: "confidence",
    field: "confidence",
    description: "The tipster's confidence: high, medium or low.",
    cell: (tip) => tip.confidence,
  },
  {
    name: "number",
    field: "horseNumber",
    description: "The number of the horse as tipped.",
    cell: (tip) => tip.horseNumber,
  },
  {
    name: "horse",
    field: "horseName",
    description: "The name of the horse as tipped.",
    cell: (tip) => tip.horseName,
  },
  {
    name: "published",
    field: "publishedAt",
    description: "When the tip was published, in UTC.",
    cell: (tip) => tip.publishedAt,
  },
  {
    name: "late",
    field: "isLate",
    description: "Whether it was published too late to count.",
    cell: (tip) => yes(tip.isLate),
  },
  {
    name: "hidden",
    field: "isHidden",
    description: "Whether we took it off the lists. It still counts.",
    cell: (tip) => yes(tip.isHidden),
  },
  {
    name: "status",
    field: "status",
    description:
      "counted: officially settled, and in the figures. void, late: not in the figures. claimed: only marked by the tipster. set-by-admin: a result that we entered for this tip alone. no-result: no result yet.",
    cell: (tip) => tip.status,
  },
  {
    name: "result",
    field: "result",
    description: "won, lost or void. Each-way counts as won when placed.",
    cell: (tip) => tip.result ?? "",
  },
  {
    name: "claimed",
    field: "claimedResult",
    description: "What the tipster marked.",
    cell: (tip) => tip.claimedResult ?? "",
  },
  {
    name: "outcome",
    field: "outcome",
    description: "The official settlement: won, placed (each-way), lost or void.",
    cell: (tip) => tip.outcome ?? "",
  },
  {
    name: "void_reason",
    field: "voidReason",
    description: "Why it is void.",
    cell: (tip) => tip.voidReason ?? "",
  },
  {
    name: "position",
    field: "position",
    description: "Where the horse finished.",
    cell: (tip) => tip.position ?? "",
  },
  {
    name: "dead_heat",
    field: "deadHeatCount",
    description: "The number of horses that share the position.",
    cell: (tip) => tip.deadHeatCount ?? "",
  },
  {
    name: "starting_price",
    field: "startingPrice",
    description: "The horse's starting price, such as 5/1.",
    cell: (tip) => (tip.startingPrice ? formatStartingPrice(tip.startingPrice) : ""),
  },
  {
    name: "win_stake",
    field: "win",
    description: "The stake to win, in rand.",
    cell: (tip) => rand(tip.win?.stakeCents),
  },
  {
    name: "win_return_sp",
    field: "win",
    description:
      "What it returned at the starting price, before tax. Empty if the price is not known.",
    cell: (tip) => rand(tip.win?.startingPriceReturnCents),
  },
  {
    name: "win_return_tote",
    field: "win",
    description: "What it returned at the tote. Empty if no dividend is known.",
    cell: (tip) => rand(tip.win?.toteReturnCents),
  },
  {
    name: "place_stake",
    field: "place",
    description: "The stake on a place, in rand.",
    cell: (tip) => rand(tip.place?.stakeCents),
  },
  {
    name: "place_return_tote",
    field: "place",
    description: "What it returned at the tote. There is no starting price for a place.",
    cell: (tip) => rand(tip.place?.toteReturnCents),
  },
  {
    name: "expected_win",
    field: "expectedWin",
    description:
      "The chance to win by the starting prices, from 0 to 1. Empty unless all prices of the race are known.",
    cell: (tip) => tip.expectedWin ?? "",
  },
  {
    name: "favourite_return",
    field: "favouriteReturnCents",
    description: "What the same stake on the favourite returned. Joint favourites share it.",
    cell: (tip) => rand(tip.favouriteReturnCents),
  },
  {
    name: "result_version",
    field: "resultVersion",
    description: "The version of the official result. A correction is a new version.",
    cell: (tip) => tip.resultVersion ?? "",
  },
  {
    name: "rules",
    field: "rules",
    description: "The settlement rules that were applied.",
    cell: (tip) => tip.rules ?? "",
  },
  {
    name: "entry",
    field: "entry",
    description: "The number of the tip among the tipster's entries in the public log.",
    cell: (tip) => tip.entry ?? "",
  },
  {
    name: "log_index",
    field: "logIndex",
    description: "The index of that entry in the whole log.",
    cell: (tip) => tip.logIndex ?? "",
  },
  {
    name: "race_card",
    field: "raceCardId",
    description: "Identifies the race card that the tip was sold with.",
    cell: (tip) => tip.raceCardId,
  },
  { name: "tip", field: "id", description: "Identifies the tip.", cell: (tip) => tip.id },
];
