import { X } from "lucide-react";
import { memo } from "react";
import { MAX_HORSE_NAME, MAX_HORSE_NUMBER, MAX_RACES } from "#domain/tip.ts";
import { RadioGroupField } from "#ui/forms/radio-group-field.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { MAX_ANALYSIS } from "./batch.input.ts";
import { findNamedRunner, type RaceDraft, type RaceField, toInputName } from "./batch-form.ts";
import type { BatchDay, OfferedRunner } from "./batch-result.ts";
import { findReportedTime, findRunners } from "./use-batch-day.ts";

const TIP_TYPE_OPTIONS = [
  { value: "win", label: "Win" },
  { value: "place", label: "Place" },
  { value: "each-way", label: "Each way" },
];
const CONFIDENCE_OPTIONS = [
  { value: "high", label: "High" },
  { value: "medium", label: "Medium" },
  { value: "low", label: "Low" },
];

type RaceInputsProps = {
  race: RaceDraft;
  errors: Partial<Record<RaceField, string>>;
  /** Race numbers that the creator's card for this venue and day already has. */
  publishedNumbers: readonly number[];
  /** The off time that an admin or a data source reported. It takes precedence over the entered one. */
  reportedTime: string | null;
  /** The declared runners of the race. Without any, the horse is free text. */
  runners: readonly OfferedRunner[];
  /** The warning about an unknown off time. */
  timeWarning?: string;
  onChange: (field: RaceField, value: string) => void;
};

type RaceFieldsProps = Pick<RaceInputsProps, "race" | "errors" | "timeWarning"> & {
  index: number;
  day: Pick<BatchDay, "publishedNumbers" | "offTimes" | "runners">;
  onChange: (index: number, field: RaceField, value: string) => void;
  /** Undefined if this is the only race. */
  onRemove?: (index: number) => void;
};

/** The fieldset of one race of the batch. Rendered only when its own props change, not on each input in another race. */
export const RaceFields = memo(function RaceFields({
  index,
  day,
  onChange,
  onRemove,
  ...inputs
}: RaceFieldsProps) {
  const { race } = inputs;
  return (
    <fieldset
      data-race={index}
      className="@container relative min-w-0 rounded-md border border-rule bg-sheet"
    >
      <legend className="sr-only">Race {race.raceNumber || index + 1}</legend>
      <div className="flex items-stretch">
        <div
          aria-hidden="true"
          className="hidden w-16 shrink-0 items-start justify-center rounded-l-md bg-ink pt-4 font-cond text-4xl font-bold text-paper @2xl:flex"
        >
          {race.raceNumber || "–"}
        </div>
        <div className="grid min-w-0 flex-1 grid-cols-6 gap-x-3 gap-y-4 p-4 @2xl:grid-cols-12">
          <RaceInputs
            {...inputs}
            publishedNumbers={day.publishedNumbers}
            runners={findRunners(day, race.raceNumber)}
            reportedTime={findReportedTime(day, race.raceNumber)}
            onChange={(field, value) => onChange(index, field, value)}
            inputName={(field) => toInputName(index, field)}
          />
        </div>
      </div>
      {onRemove ? (
        <IconButton
          label={`Remove race ${race.raceNumber || index + 1}`}
          icon={<X aria-hidden="true" />}
          onClick={() => onRemove(index)}
          className="absolute top-0 right-0"
        />
      ) : null}
    </fieldset>
  );
});

/** The inputs of one race, for a grid of six or twelve columns. */
export function RaceInputs({
  race,
  errors,
  publishedNumbers,
  reportedTime,
  runners,
  onChange,
  inputName,
  isTimeRequired = false,
  timeWarning,
  maxHorseNumber = MAX_HORSE_NUMBER,
  analysisField = { label: "Analysis", rows: 3 },
}: RaceInputsProps & {
  inputName: (field: RaceField) => string;
  isTimeRequired?: boolean;
  maxHorseNumber?: number;
  /** Label and height of the analysis field. */
  analysisField?: { label: string; rows: number };
}) {
  const createFieldProps = (name: RaceField) => ({
    name: inputName(name),
    value: race[name],
    error: errors[name],
    required: true,
    onChange: (event: { target: { value: string } }) => onChange(name, event.target.value),
  });
  const createRadioGroupProps = (name: RaceField) => ({
    ...createFieldProps(name),
    onChange: (value: string) => onChange(name, value),
  });
  return (
    <>
      <SelectField
        {...createFieldProps("raceNumber")}
        label="Race"
        placeholder="–"
        options={Array.from({ length: MAX_RACES }, (_, index) => ({
          value: String(index + 1),
          // The label is short because the field takes a third of a phone's width.
          label: publishedNumbers.includes(index + 1) ? `${index + 1} ✓` : String(index + 1),
        }))}
        hint={publishedNumbers.length > 0 ? "✓ published" : undefined}
        className="col-span-2"
      />
      <TimeField
        name={inputName("raceTime")}
        label="Off time"
        required={isTimeRequired}
        readOnly={reportedTime !== null}
        value={reportedTime ?? race.raceTime}
        onTime={(text) => onChange("raceTime", text)}
        error={errors.raceTime}
        hint={reportedTime === null ? undefined : "As reported"}
        className="col-span-2"
      />
      {runners.length === 0 ? (
        <TextField
          {...createFieldProps("horseNumber")}
          label="Horse number"
          type="number"
          inputMode="numeric"
          min={1}
          max={maxHorseNumber}
          step={1}
          figures
          className="col-span-2"
        />
      ) : null}
      {timeWarning ? (
        <p className="col-span-6 text-xs font-medium text-warn-ink @2xl:col-span-12 @2xl:row-start-2">
          {timeWarning}
        </p>
      ) : null}
      {runners.length === 0 ? (
        <TextField
          {...createFieldProps("horseName")}
          label="Horse name"
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          maxLength={MAX_HORSE_NAME}
          className="col-span-6"
        />
      ) : (
        <RunnerField
          name={inputName("horseNumber")}
          error={errors.horseNumber ?? errors.horseName}
          runner={findNamedRunner(race, runners)}
          runners={runners}
          horseNameInput={inputName("horseName")}
          onRunner={(runner) => {
            onChange("horseNumber", runner ? String(runner.number) : "");
            onChange("horseName", runner?.horseName ?? "");
          }}
        />
      )}
      <RadioGroupField
        {...createRadioGroupProps("tipType")}
        label="Tip type"
        options={TIP_TYPE_OPTIONS}
        className="col-span-6"
      />
      <RadioGroupField
        {...createRadioGroupProps("confidence")}
        label="Confidence"
        options={CONFIDENCE_OPTIONS}
        className="col-span-6"
      />
      <TextAreaField
        {...createFieldProps("analysis")}
        label={analysisField.label}
        rows={analysisField.rows}
        maxLength={MAX_ANALYSIS}
        className="col-span-6 @2xl:col-span-12"
      />
    </>
  );
}

/** The declared runners of a race, to choose one. Scratched runners cannot be chosen. */
function RunnerField({
  name,
  error,
  runner,
  runners,
  horseNameInput,
  onRunner,
}: {
  name: string;
  error: string | undefined;
  runner: OfferedRunner | undefined;
  runners: readonly OfferedRunner[];
  /** The name of the input with the horse's name. */
  horseNameInput: string;
  onRunner: (runner: OfferedRunner | undefined) => void;
}) {
  return (
    <>
      <SelectField
        name={name}
        required
        label="Horse"
        placeholder="Select a runner"
        value={runner ? String(runner.number) : ""}
        onChange={({ target }) =>
          onRunner(runners.find((each) => String(each.number) === target.value))
        }
        options={runners.map(({ number, horseName, isScratched }) => ({
          value: String(number),
          label: `${number} ${horseName}${isScratched ? ", scratched" : ""}`,
          disabled: isScratched,
        }))}
        error={error}
        className="col-span-6 @2xl:col-span-8"
      />
      <input type="hidden" name={horseNameInput} value={runner?.horseName ?? ""} />
    </>
  );
}
