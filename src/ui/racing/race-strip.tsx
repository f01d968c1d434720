import { classNames } from "#ui/class-names.ts";
import { NumberCloth } from "./number-cloth.tsx";
import { RaceTime } from "./race-time.tsx";

type RaceStripProps = {
  races: readonly { raceNumber: number; time: string | null; isOver: boolean }[];
  date?: string;
  className?: string;
};

/** The races of a race card in a wrapping row, with the number above the off time. */
export function RaceStrip({ races, date, className }: RaceStripProps) {
  return (
    <ol
      aria-label="Races"
      className={classNames(
        "grid grid-cols-[repeat(auto-fill,minmax(3.1rem,1fr))] overflow-hidden border-y border-rule bg-sheet",
        className,
      )}
    >
      {races.map((race) => (
        <li
          key={race.raceNumber}
          className={classNames(
            "flex flex-col items-center gap-1 py-2 shadow-[1px_1px_0_var(--rule)]",
            race.isOver && "text-ink-3",
          )}
        >
          <NumberCloth number={race.raceNumber} size="small" isOver={race.isOver} />
          <RaceTime
            time={race.time}
            date={date}
            className={classNames("text-sm", race.isOver && "line-through decoration-1")}
          />
        </li>
      ))}
    </ol>
  );
}
