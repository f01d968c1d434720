import { MAX_RACE_NAME, SURFACES } from "#domain/race-day.ts";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { formatRunners } from "../parse-runners.ts";
import type { DeclaredRace } from "../read-declared-races.server.ts";

type RaceFieldsProps = {
  raceNumber: number;
  /** Null if the race is not reported. */
  race: DeclaredRace | null;
  /** The values and errors of a refused form. */
  values: Readonly<Record<string, string>> | undefined;
  errors: Readonly<Record<string, string>>;
};

const capitalise = (word: string) => word[0]?.toUpperCase() + word.slice(1);

/** The places that are paid where a result names none, by `standardPlacesPaid`. */
export const PLACES_PAID_HINT = "Empty: 2 with 6 starters, 3 with 8, 4 with 16.";

/** The surfaces of a race as options of a select field. */
export const SURFACE_OPTIONS = [
  { value: "", label: "Not reported" },
  ...SURFACES.map((surface) => ({ value: surface, label: capitalise(surface) })),
];

/** The name, distance, surface and runners of a race. Collapsed while none of them is reported. */
export function RaceFields({ raceNumber, race, values, errors }: RaceFieldsProps) {
  const names = {
    name: `name-${raceNumber}`,
    distance: `distance-${raceNumber}`,
    surface: `surface-${raceNumber}`,
    runners: `runners-${raceNumber}`,
  };
  const hasError = Object.values(names).some((name) => errors[name]);
  const hasValues = Object.values(names).some((name) => values?.[name]);
  const running = race?.runners.filter((runner) => !runner.isScratched).length ?? 0;
  const scratched = (race?.runners.length ?? 0) - running;
  return (
    <details open={hasError || hasValues || race !== null} className="border-b border-rule py-1">
      <summary className="cursor-pointer py-2 font-cond text-lg font-bold">
        Race {raceNumber}
        <span className="ml-2 font-sans text-sm font-normal text-ink-2">
          {race?.runners.length
            ? `${running} ${running === 1 ? "runner" : "runners"}${scratched ? `, ${scratched} scratched` : ""}`
            : "No runners"}
        </span>
      </summary>
      <div className="mt-1 mb-3 grid gap-4 sm:grid-cols-3">
        <TextField
          label={`Name of race ${raceNumber}`}
          optional
          name={names.name}
          maxLength={MAX_RACE_NAME}
          defaultValue={values?.[names.name] ?? race?.name ?? ""}
          error={errors[names.name]}
        />
        <TextField
          label={`Distance of race ${raceNumber}, metres`}
          optional
          name={names.distance}
          inputMode="numeric"
          figures
          defaultValue={values?.[names.distance] ?? race?.distanceMetres ?? ""}
          error={errors[names.distance]}
        />
        <SelectField
          label={`Surface of race ${raceNumber}`}
          name={names.surface}
          options={SURFACE_OPTIONS}
          defaultValue={values?.[names.surface] ?? race?.surface ?? ""}
          error={errors[names.surface]}
        />
        <TextAreaField
          label={`Runners of race ${raceNumber}`}
          optional
          name={names.runners}
          rows={Math.max(4, race?.runners.length ?? 0)}
          spellCheck={false}
          hint="One line each: number, horse, jockey, trainer, draw, and “scratched” if withdrawn. Paste from a spreadsheet, or separate with commas."
          defaultValue={values?.[names.runners] ?? formatRunners(race?.runners ?? [])}
          error={errors[names.runners]}
          className="sm:col-span-3"
        />
      </div>
    </details>
  );
}
