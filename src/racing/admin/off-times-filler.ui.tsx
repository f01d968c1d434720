import { useState } from "react";
import { instantAt, timeAt } from "#domain/calendar.ts";
import { parseTime } from "#domain/parse-time.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { Button } from "#ui/button.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";

const REFERENCE_DATE = "2026-01-01";

/** Returns the off times (`HH:MM`) of a number of races at a fixed interval; none if the first is invalid. */
export function generateOffTimes(
  firstOff: string,
  minutesApart: number,
  raceCount: number,
): string[] {
  const time = parseTime(firstOff);
  if (time === null) return [];
  const first = instantAt(REFERENCE_DATE, time).getTime();
  return Array.from({ length: Math.min(raceCount, MAX_RACES) }, (_, index) =>
    timeAt(new Date(first + index * minutesApart * 60_000)),
  );
}

/** Fills in the off times of a meeting at a fixed interval; they can be edited afterwards. */
export function OffTimesFiller({ onFill }: { onFill: (offTimes: string[]) => void }) {
  const [firstOff, setFirstOff] = useState("13:00");
  const [minutesApart, setMinutesApart] = useState(35);
  const [raceCount, setRaceCount] = useState(8);
  if (!useHydrated()) return null;
  const handleFill = () => {
    const times = generateOffTimes(firstOff, minutesApart, raceCount);
    // Keeps the current times if the first off is invalid.
    if (times.length > 0) onFill(times);
  };
  return (
    <div className="mb-5 flex flex-wrap items-end gap-2 border-b border-rule pb-4">
      <TimeField label="First off" value={firstOff} onTime={setFirstOff} className="w-32" />
      <TextField
        label="Minutes apart"
        type="number"
        min={5}
        max={90}
        figures
        value={minutesApart}
        onChange={(event) => setMinutesApart(event.target.valueAsNumber || 0)}
        className="w-32"
      />
      <TextField
        label="Races"
        type="number"
        min={1}
        max={MAX_RACES}
        figures
        value={raceCount}
        onChange={(event) => setRaceCount(event.target.valueAsNumber || 0)}
        className="w-24"
      />
      <Button variant="secondary" onClick={handleFill}>
        Fill in the times
      </Button>
    </div>
  );
}
