import { formatRaceNumbers } from "#domain/format-races.ts";
import { TIP_TYPE_LABELS } from "#domain/tip.ts";
import { Confidence } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import type { BatchInput } from "./batch.input.ts";
import type { RaceDraft } from "./batch-form.ts";

type LastLookProps = {
  /** The venue and day. */
  meeting: string;
  races: BatchInput["races"];
  /** The races that are left out. */
  blank: readonly RaceDraft[];
};

/** The tips of a batch as a buyer will see them, before they are published. */
export function LastLook({ meeting, races, blank }: LastLookProps) {
  const sorted = [...races].sort((one, other) => one.raceNumber - other.raceNumber);
  return (
    <>
      <p>{meeting}. You can't change a tip after publishing.</p>
      <ul className="mt-2 divide-y divide-rule border-y border-rule">
        {sorted.map((race) => (
          <li key={race.raceNumber} className="flex items-start gap-2 py-2">
            <NumberCloth number={race.raceNumber} size="small" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 text-ink">
                <NumberCloth number={race.horseNumber} kind="saddle" size="small" />
                <b className="font-semibold wrap-anywhere">{race.horseName}</b>
                <span className="caps">{TIP_TYPE_LABELS[race.tipType]}</span>
                <Confidence level={race.confidence} />
              </p>
              <p className="line-clamp-2 text-xs wrap-anywhere">{race.analysis}</p>
            </div>
          </li>
        ))}
      </ul>
      {blank.length > 0 ? (
        <p className="mt-2">
          Left out, because no horse is chosen:{" "}
          {formatRaceNumbers(blank.map(({ raceNumber }) => Number(raceNumber)))}.
        </p>
      ) : null}
    </>
  );
}
