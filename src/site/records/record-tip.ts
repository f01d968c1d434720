import type { SettledTip } from "#domain/figures/figures.ts";
import type { StartingPrice } from "#domain/race-result.ts";
import type { SettledBet } from "#domain/settlement.ts";
import type { TipEntry } from "#proof/proof.server.ts";
import type { RecordedTip } from "#tips/tips.server.ts";

/**
 * A tip of the JSON download. One whose status is `counted` has all the fields of a settled tip, so that anybody
 * can compute the figures from the download alone.
 */
export type RecordTip = Omit<SettledTip, "offAt" | "outcome" | "win" | "place"> & {
  offAt: string | null;
  horseNumber: number;
  horseName: string;
  publishedAt: string;
  isLate: boolean;
  isHidden: boolean;
  status: RecordedTip["status"];
  result: RecordedTip["result"];
  claimedResult: RecordedTip["claimedResult"];
  outcome: SettledTip["outcome"] | "void" | null;
  voidReason: string | null;
  position: number | null;
  deadHeatCount: number | null;
  startingPrice: StartingPrice | null;
  win: SettledBet | null;
  place: SettledBet | null;
  resultVersion: number | null;
  rules: string | null;
  /** The number of the tip among the creator's entries in the log, and its index in its log. */
  entry: number | null;
  logIndex: number | null;
};

/** Returns a recorded tip as the downloads have it. */
export function toRecordTip(
  { settlement, offAt, publishedAt, ...tip }: RecordedTip,
  entry: TipEntry | undefined,
): RecordTip {
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
