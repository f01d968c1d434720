import { type CalendarDate, timeAt } from "#domain/calendar.ts";
import { type LockedTip, SHORT_TIP_TYPES, SPOKEN_TIP_TYPES } from "#domain/tip.ts";
import { classNames } from "#ui/class-names.ts";
import { ConfidenceRails } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { RaceTime } from "#ui/racing/race-time.tsx";

/**
 * The races of a race card in a strip: number, confidence, off time and tip type. Dims races that have
 * been run.
 */
export function RaceList({
  races,
  date,
  now,
}: {
  races: readonly LockedTip[];
  date: CalendarDate;
  now: Date;
}) {
  return (
    <>
      <ol
        aria-label="Races"
        className="grid grid-cols-[repeat(auto-fit,minmax(2.5rem,1fr))] overflow-hidden border-y border-rule @md:grid-cols-[repeat(auto-fit,minmax(3.375rem,1fr))]"
      >
        {races.map((race) => {
          const isRun = race.offAt !== null && race.offAt <= now;
          return (
            <li
              key={race.raceNumber}
              title={`Race ${race.raceNumber}: ${SPOKEN_TIP_TYPES[race.tipType]}, ${race.confidence.toUpperCase()} confidence${isRun ? ", run" : ""}`}
              className={classNames(
                "-mr-px -mb-px flex flex-col items-center gap-0.5 border-r border-b border-rule pt-2 pb-1.5",
                isRun && "bg-well",
              )}
            >
              <span className="flex items-end gap-0.5">
                <NumberCloth number={race.raceNumber} size="small" isOver={isRun} />
                <ConfidenceRails level={race.confidence} isOver={isRun} />
              </span>
              <RaceTime
                time={race.offAt && timeAt(race.offAt)}
                date={date}
                className={classNames("text-sm", isRun && "text-ink-3 line-through decoration-1")}
              />
              <span
                className="text-center font-cond text-2xs leading-none text-ink-2"
                aria-hidden="true"
              >
                {SHORT_TIP_TYPES[race.tipType]}
                <span className="pt-0.5 @max-md:hidden @md:block">
                  {race.confidence.toUpperCase()}
                </span>
              </span>
              <span className="sr-only">
                {`${SPOKEN_TIP_TYPES[race.tipType]}, ${race.confidence.toUpperCase()} confidence`}
              </span>
            </li>
          );
        })}
      </ol>
      <p
        aria-hidden="true"
        className="flex items-center justify-end gap-3 border-b border-rule px-4 py-1 font-cond text-2xs text-ink-2 @md:hidden"
      >
        {(["high", "medium", "low"] as const).map((level) => (
          <span key={level} className="inline-flex items-center gap-1">
            <ConfidenceRails level={level} />
            {level.toUpperCase()}
          </span>
        ))}
      </p>
    </>
  );
}
