import { Check, CircleAlert } from "lucide-react";
import { classNames } from "#ui/class-names.ts";
import { type BatchProblems, isCompleteRace, type RaceDraft } from "./batch-form.ts";

type RacePickerProps = {
  races: readonly RaceDraft[];
  problems: BatchProblems["races"];
  /** The index of the race that is shown. */
  current: number;
  onShow: (index: number) => void;
};

/** The races of a batch in one strip, to choose the one that is shown where only one fits. */
export function RacePicker({ races, problems, current, onShow }: RacePickerProps) {
  return (
    <nav
      aria-label="Races"
      className={classNames(
        "mb-3 grid gap-1 @2xl:hidden",
        races.length > 8 ? "grid-cols-6" : "grid-cols-8",
      )}
    >
      {races.map((race, index) => {
        const hasProblem = Object.keys(problems[index] ?? {}).length > 0;
        const isComplete = isCompleteRace(race);
        const state = hasProblem ? "to correct" : isComplete ? "complete" : "not complete";
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a race has no id
            key={index}
            type="button"
            aria-label={`Race ${race.raceNumber || index + 1}, ${state}`}
            aria-current={index === current ? "true" : undefined}
            onClick={() => onShow(index)}
            className={classNames(
              "flex min-h-11 flex-col items-center justify-center rounded-sm border font-cond text-lg leading-none font-bold aria-[current=true]:outline-2 aria-[current=true]:outline-offset-1 aria-[current=true]:outline-green-ink",
              hasProblem
                ? "border-danger-ink text-danger-ink"
                : isComplete
                  ? "border-ink bg-ink text-paper"
                  : "border-rule-strong bg-sheet text-ink",
            )}
          >
            {race.raceNumber || "–"}
            {hasProblem ? (
              <CircleAlert aria-hidden="true" className="size-3.5" />
            ) : isComplete ? (
              <Check aria-hidden="true" className="size-3.5" />
            ) : null}
          </button>
        );
      })}
    </nav>
  );
}
