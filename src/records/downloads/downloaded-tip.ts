import type { AsJson } from "#domain/as-json.ts";
import type { TipEntry } from "#proof/proof.server.ts";
import type { RecordedTip } from "#tips/tips.server.ts";

type Settlement = Omit<NonNullable<RecordedTip["settlement"]>, "version">;

/**
 * A tip of the JSON download. One whose status is `counted` has all the fields of a settled tip, so that anybody
 * can compute the figures from the download alone.
 */
export type DownloadedTip = AsJson<Omit<RecordedTip, "settlement">> & {
  [Field in keyof Settlement]: Settlement[Field] | null;
} & {
  resultVersion: number | null;
  /** The number of the tip among the creator's entries in the log, and its index in its log. */
  entry: number | null;
  logIndex: number | null;
};

/** Returns a recorded tip as the downloads have it. */
export function toDownloadedTip(
  { settlement, offAt, publishedAt, ...tip }: RecordedTip,
  entry: TipEntry | undefined,
): DownloadedTip {
  return {
    ...tip,
    offAt: offAt?.toISOString() ?? null,
    publishedAt: publishedAt.toISOString(),
    outcome: settlement?.outcome ?? null,
    voidReason: settlement?.voidReason ?? null,
    position: settlement?.position ?? null,
    deadHeatCount: settlement?.deadHeatCount ?? null,
    startingPrice: settlement?.startingPrice ?? null,
    win: settlement?.win ?? null,
    place: settlement?.place ?? null,
    expectedWin: settlement?.expectedWin ?? null,
    favouriteReturnCents: settlement?.favouriteReturnCents ?? null,
    resultVersion: settlement?.version ?? null,
    rules: settlement?.rules ?? null,
    entry: entry?.entry ?? null,
    logIndex: entry?.logIndex ?? null,
  };
}
