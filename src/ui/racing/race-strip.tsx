import { classNames } from "#ui/class-names.ts";
import { NumberCloth } from "./number-cloth.tsx";
import { RaceTime } from "./race-time.tsx";

type RaceStripProps = {
  races: readonly { raceNumber: number; time: string | null; isOver: boolean }[];
  date?: string;
  className?: string;
};

/** The races of a race card in one row, or on phones in two, with the number above the off time. */
export function RaceStrip({ races, date, className }: RaceStripProps) {
  return (
    <ol
      aria-label="Races"
      className={classNames(
        "grid grid-cols-[repeat(auto-fit,minmax(2.5rem,1fr))] overflow-hidden border-y border-rule bg-sheet",
        // Two even rows on phones, where eight races fit into one.
        races.length > 10 ? "max-sm:grid-cols-6" : races.length > 8 && "max-sm:grid-cols-5",
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
