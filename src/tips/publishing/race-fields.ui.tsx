import { X } from "lucide-react";
import { memo, useId, useState } from "react";
import {
  MAX_HORSE_NAME,
  MAX_HORSE_NUMBER,
  MAX_RACES,
  TIP_TYPE_LABELS,
  TIP_TYPES,
} from "#domain/tip.ts";
import { Button } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { RadioGroupField } from "#ui/forms/radio-group-field.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextAreaField } from "#ui/forms/text-area-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { TimeField } from "#ui/forms/time-field.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { MAX_ANALYSIS } from "./batch.input.ts";
import {
  findRunner,
  findRunnerByText,
  type RaceDraft,
  type RaceField,
  toInputName,
} from "./batch-form.ts";
import type { BatchDay, OfferedRunner } from "./batch-result.ts";
import { findReportedTime, findRunners } from "./use-batch-day.ts";

const TIP_TYPE_OPTIONS = TIP_TYPES.map((value) => ({ value, label: TIP_TYPE_LABELS[value] }));
const CONFIDENCE_OPTIONS = [
  { value: "high", label: "High" },
  { value: "medium", label: "Medium" },
  { value: "low", label: "Low" },
];

/** The columns of a race as one line, from the width where its fields fit. */
const RACE_LINE_COLUMNS =
  "@4xl:grid-cols-[4.5rem_5rem_minmax(10rem,1fr)_11rem_11rem_minmax(9rem,1.5fr)] @4xl:gap-x-2";

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
  day: BatchDay;
  /** Whether this race is shown where only one fits, as on phones. */
  isCurrent: boolean;
  onChange: (index: number, field: RaceField, value: string) => void;
  /** Undefined if this is the only race. */
  onRemove?: (index: number) => void;
  /** Undefined if this is the last race. */
  onNext?: (index: number) => void;
};

/**
 * The fieldset of one race of the batch, in one line where that fits. Rendered only when its own props change, not on
 * each input in another race.
 */
export const RaceFields = memo(function RaceFields({
  index,
  day,
  isCurrent,
  onChange,
  onRemove,
  onNext,
  ...inputs
}: RaceFieldsProps) {
  const { race } = inputs;
  return (
    <fieldset
      data-race={index}
      className={classNames(
        "relative min-w-0 rounded-md border border-rule bg-sheet @4xl:rounded-none @4xl:border-x-0 @4xl:border-b-0 @4xl:pr-11",
        isCurrent ? "block" : "hidden @2xl:block",
      )}
    >
      <legend className="sr-only">Race {race.raceNumber || index + 1}</legend>
      <div className="flex items-stretch">
        <div
          aria-hidden="true"
          className="hidden w-16 shrink-0 items-start justify-center rounded-l-md bg-ink pt-4 font-cond text-4xl font-bold text-paper @2xl:flex @4xl:hidden"
        >
          {race.raceNumber || "–"}
        </div>
        <div
          className={classNames(
            "grid min-w-0 flex-1 grid-cols-6 gap-x-3 gap-y-4 p-4 @2xl:grid-cols-12 @4xl:gap-y-1 @4xl:px-0 @4xl:py-1.5",
            RACE_LINE_COLUMNS,
            // In a line the labels, hints and counts are for screen readers only.
            "@4xl:[&_:is(label[for],legend)]:sr-only @4xl:[&_.field-notes]:hidden @4xl:[&_fieldset_label]:flex-auto @4xl:[&_fieldset_label]:px-1.5 @4xl:[&_fieldset_label]:whitespace-nowrap",
            "[&_textarea]:field-sizing-content [&_textarea]:max-h-60 [&_textarea]:min-h-20 @4xl:[&_textarea]:min-h-11",
          )}
        >
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
      {onNext ? (
        <div className="px-4 pb-4 @2xl:hidden">
          <Button variant="secondary" onClick={() => onNext(index)} className="w-full">
            Next race
          </Button>
        </div>
      ) : null}
      {onRemove ? (
        <IconButton
          label={`Remove race ${race.raceNumber || index + 1}`}
          icon={<X aria-hidden="true" />}
          onClick={() => onRemove(index)}
          className="absolute top-0 right-0 @4xl:top-1.5"
        />
      ) : null}
    </fieldset>
  );
});

/** The headings of the races' columns where each race is one line. */
export function RaceLineHeadings() {
  return (
    <div
      aria-hidden="true"
      className={classNames("caps hidden pr-11 pb-1 text-ink-2 @4xl:grid", RACE_LINE_COLUMNS)}
    >
      {["Race", "Off time", "Horse", "Tip type", "Confidence", "Analysis"].map((heading) => (
        <span key={heading}>{heading}</span>
      ))}
    </div>
  );
}

/** The inputs of one race, for a grid of six or twelve columns, or one line. */
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
  analysisField = { label: "Analysis", rows: 3, enterKeyHint: "next" },
}: RaceInputsProps & {
  inputName: (field: RaceField) => string;
  isTimeRequired?: boolean;
  maxHorseNumber?: number;
  /** Label, height and Enter key of the analysis field. */
  analysisField?: { label: string; rows: number; enterKeyHint?: "next" };
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
        className="col-span-2 @4xl:col-auto"
      />
      <TimeField
        // A reported off is not submitted: it says nothing about whether the race is filled in.
        name={reportedTime === null || isTimeRequired ? inputName("raceTime") : undefined}
        label="Off time"
        required={isTimeRequired}
        readOnly={reportedTime !== null}
        value={reportedTime ?? race.raceTime}
        onTime={(text) => onChange("raceTime", text)}
        error={errors.raceTime}
        hint={reportedTime === null ? undefined : "As reported"}
        className="col-span-2 @4xl:col-auto"
      />
      {timeWarning ? (
        <p className="col-span-6 text-xs font-medium text-warn-ink @2xl:col-span-12 @2xl:row-start-2 @4xl:col-span-full">
          {timeWarning}
        </p>
      ) : null}
      {runners.length === 0 ? (
        <div className="contents @4xl:grid @4xl:grid-cols-[3.5rem_1fr] @4xl:items-start @4xl:gap-x-1">
          <TextField
            {...createFieldProps("horseNumber")}
            label="Horse number"
            type="number"
            inputMode="numeric"
            min={1}
            max={maxHorseNumber}
            step={1}
            figures
            className="col-span-2 @4xl:col-auto"
          />
          <TextField
            {...createFieldProps("horseName")}
            label="Horse name"
            autoComplete="off"
            autoCapitalize="words"
            spellCheck={false}
            maxLength={MAX_HORSE_NAME}
            className="col-span-6 @4xl:col-auto"
          />
        </div>
      ) : (
        <RunnerField
          error={errors.horseNumber ?? errors.horseName}
          race={race}
          runners={runners}
          inputName={inputName}
          onChange={onChange}
          className="col-span-6 @2xl:col-span-8 @4xl:col-auto"
        />
      )}
      <RadioGroupField
        {...createRadioGroupProps("tipType")}
        label="Tip type"
        options={TIP_TYPE_OPTIONS}
        className="col-span-6 @4xl:col-auto"
      />
      <RadioGroupField
        {...createRadioGroupProps("confidence")}
        label="Confidence"
        options={CONFIDENCE_OPTIONS}
        className="col-span-6 @4xl:col-auto"
      />
      <TextAreaField
        {...createFieldProps("analysis")}
        {...analysisField}
        maxLength={MAX_ANALYSIS}
        className="col-span-6 @2xl:col-span-12 @4xl:col-auto"
      />
    </>
  );
}

/** The declared runners of a race, to choose one by its number or name. Scratched runners cannot be chosen. */
function RunnerField({
  error,
  race,
  runners,
  inputName,
  onChange,
  className,
}: {
  error: string | undefined;
  race: RaceDraft;
  runners: readonly OfferedRunner[];
  inputName: (field: RaceField) => string;
  onChange: RaceInputsProps["onChange"];
  className: string;
}) {
  const listId = useId();
  // The text while it is being typed: "1" is runner 1 until "12" is complete.
  const [typed, setTyped] = useState<string | null>(null);
  const runner = findRunner(race, runners);
  const { number, horseName } = runner ?? { number: race.horseNumber, horseName: race.horseName };
  const text = typed ?? `${number} ${horseName}`.trim();
  const meant = findRunnerByText(text, runners);
  const problem =
    typed === null && text && !runner
      ? meant?.isScratched
        ? `${meant.number} ${meant.horseName} is scratched`
        : "Choose one of the declared runners"
      : undefined;
  return (
    <>
      <TextField
        required
        label="Horse"
        placeholder="No. or name"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_HORSE_NAME + 4}
        value={text}
        onChange={({ target }) => {
          setTyped(target.value);
          const next = findRunnerByText(target.value, runners);
          const isRunning = next && !next.isScratched;
          onChange("horseNumber", isRunning ? String(next.number) : "");
          onChange("horseName", isRunning ? next.horseName : target.value);
        }}
        onBlur={() => setTyped(null)}
        error={problem ?? error}
        className={className}
      />
      <datalist id={listId}>
        {runners
          .filter(({ isScratched }) => !isScratched)
          .map(({ number, horseName }) => (
            <option key={number} value={`${number} ${horseName}`} />
          ))}
      </datalist>
      <input type="hidden" name={inputName("horseNumber")} value={runner?.number ?? ""} />
      <input type="hidden" name={inputName("horseName")} value={runner?.horseName ?? ""} />
    </>
  );
}
