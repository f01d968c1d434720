import { type FormEvent, useCallback, useEffect, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { useFocusFirstError } from "#accounts/accounts.ui.tsx";
import { describeCutOff } from "#domain/batch.ts";
import { formatDate, timeAt } from "#domain/calendar.ts";
import type { RefusedForm } from "#platform/form-result.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { createMissingFieldsError, MAX_ANALYST_HORSE_NUMBER } from "./analyst-tip.input.ts";
import {
  createRaceTakenMessage,
  DATE_PASSED_MESSAGE,
  DATE_TOO_FAR_AHEAD_MESSAGE,
} from "./batch.input.ts";
import {
  type BatchDraft,
  changeRaceField,
  createBlankRace,
  isBlankRace,
  RACE_FIELDS,
  type RaceField,
} from "./batch-form.ts";
import { type AnalystTipFormResult, PUBLISHING_FAILURE_MESSAGES } from "./batch-result.ts";
import { RaceInputs } from "./race-fields.ui.tsx";
import { SavedDrafts } from "./saved-drafts.ui.tsx";
import { findReportedTime, findRunners, useBatchDay } from "./use-batch-day.ts";
import { useDraft } from "./use-draft.ts";

type AnalystFormProps = {
  creatorId: string;
  name: string;
  venues: readonly { value: string; label: string }[];
  /** The first and last date for which tips can be published. */
  today: string;
  lastDay: string;
  cutOffMinutes: number;
  idempotencyKey: string;
  /** The result of the last submission. */
  result?: AnalystTipFormResult;
  /** Returns a BatchDay for ?venue= and &date=. */
  dayUrl: string;
};
type Problems = Omit<RefusedForm, "ok" | "values">;

/** Returns the input name of a field. The analysis is called "reasoning" in this form. */
const toInputName = (field: RaceField) => (field === "analysis" ? "reasoning" : field);

/**
 * The form for one analyst tip. Needs a new React key after each published tip to reset its state.
 */
export function AnalystForm(props: AnalystFormProps) {
  const { creatorId, name, venues, today, lastDay, result, dayUrl } = props;
  const refusedResult = result?.ok === false ? result : null;
  const [draft, setDraft] = useState(() =>
    createDraft(props.idempotencyKey, today, result?.ok ? result.nextRace : (result?.values ?? {})),
  );
  const [problems, setProblems] = useState<Problems | null>(refusedResult);
  const form = useFocusFirstError(problems);
  const submit = useSubmit();
  const { confirm } = useNotification();
  const isPending = useNavigation().formMethod === "POST";
  const day = useBatchDay(dayUrl, draft);
  const race = draft.races[0] ?? createBlankRace(null);
  const reportedTime = findReportedTime(day, race.raceNumber);

  const isEmpty = isBlankRace(race);
  const showDraft = useCallback((next: BatchDraft) => {
    setDraft(next);
    setProblems(null);
  }, []);
  const {
    savedAt,
    drafts,
    open,
    startNew,
    discard: discardSaved,
  } = useDraft(`furlong-drafts:tip:${creatorId}`, draft, { isEmpty, onOpen: showDraft });
  useTypedValues(form, setDraft);
  useEffect(() => {
    if (result?.ok === false) setProblems(result);
    if (result?.ok) discardSaved(result.idempotencyKey);
  }, [result, discardSaved]);

  const changeDraft = (changes: Partial<BatchDraft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    setProblems(null);
  };

  const publish = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formElement = event.currentTarget;
    if (isPending) return;
    const invalidFields = findProblems(formElement, day.publishedNumbers, { today, lastDay });
    if (invalidFields) {
      setProblems(invalidFields);
      return;
    }
    const venueName = venues.find((venue) => venue.value === draft.venueId)?.label;
    const isConfirmed = await confirm({
      title: `Publish race ${race.raceNumber}?`,
      message: `${venueName}, ${formatDate(draft.raceDate, "long")}: no. ${race.horseNumber} ${race.horseName.trim()}. You can't change a tip after publishing.`,
      confirmText: "Publish",
      cancelText: "Keep editing",
    });
    if (isConfirmed) void submit(formElement);
  };
  const discard = () => {
    discardSaved();
    changeDraft(createDraft(crypto.randomUUID(), today, {}));
  };

  return (
    <Form
      ref={form}
      method="post"
      noValidate
      data-keeps-draft
      {...PUBLISHING_FAILURE_MESSAGES}
      onSubmit={publish}
      className="@container grid min-w-0 flex-1 grid-cols-6 gap-x-3 gap-y-4"
    >
      <input type="hidden" name="idempotencyKey" value={draft.idempotencyKey} />
      {problems?.message ? (
        <FormMessage type="error" title={problems.title} className="col-span-6">
          {problems.message}
        </FormMessage>
      ) : null}
      <SavedDrafts
        drafts={drafts}
        venueName={(venueId) => venues.find((venue) => venue.value === venueId)?.label}
        onOpen={(idempotencyKey) => void open(idempotencyKey)}
        onStart={
          savedAt && !isEmpty
            ? () => startNew(createDraft(crypto.randomUUID(), today, {}))
            : undefined
        }
        className="col-span-6"
      />
      <TextField
        label="Tipster name"
        value={name}
        readOnly
        hint="Your display name. Change it in your profile."
        className="col-span-6"
      />
      <SelectField
        name="venueId"
        required
        error={problems?.errors?.venueId}
        value={draft.venueId}
        onChange={(event) => changeDraft({ venueId: event.target.value })}
        label="Venue"
        placeholder="Select a venue"
        options={venues}
        className="col-span-6 @md:col-span-3"
      />
      <TextField
        name="raceDate"
        required
        error={problems?.errors?.raceDate}
        value={draft.raceDate}
        onChange={(event) => changeDraft({ raceDate: event.target.value })}
        label="Race date"
        type="date"
        min={today}
        max={lastDay}
        className="col-span-6 @md:col-span-3"
      />
      <RaceInputs
        race={race}
        errors={toFieldErrors(problems)}
        publishedNumbers={day.publishedNumbers}
        runners={findRunners(day, race.raceNumber)}
        reportedTime={reportedTime}
        onChange={(field, value) => {
          setDraft((before) => changeRaceField(before, 0, field, value));
          setProblems(null);
        }}
        inputName={toInputName}
        isTimeRequired
        maxHorseNumber={MAX_ANALYST_HORSE_NUMBER}
        analysisField={{ label: "Reasoning", rows: 5 }}
      />
      <p className="col-span-6 text-xs text-ink-3">
        A race closes for tips {describeCutOff(props.cutOffMinutes)}. You can't change a tip after
        publishing. Your name and photo are shown with it.
      </p>
      {savedAt && !isEmpty ? (
        <p className="col-span-6 text-xs text-ink-2">
          Draft saved on this device, {timeAt(savedAt)}{" "}
          <button type="button" onClick={discard} className="link tap">
            Discard
          </button>
        </p>
      ) : null}
      <Button
        type="submit"
        size="large"
        pending={isPending}
        pendingLabel="Publishing"
        className="col-span-6"
      >
        Add Racing Tip
      </Button>
    </Form>
  );
}

function createDraft(
  idempotencyKey: string,
  today: string,
  values: Partial<Record<string, string>>,
): BatchDraft {
  const race = createBlankRace(null);
  for (const field of RACE_FIELDS) race[field] = values[toInputName(field)] ?? "";
  return {
    idempotencyKey: values.idempotencyKey ?? idempotencyKey,
    venueId: values.venueId ?? "",
    raceDate: values.raceDate ?? today,
    races: [race],
  };
}

/** Validates the form in the browser, before the confirmation. Returns null if it is valid. */
function findProblems(
  form: HTMLFormElement,
  taken: readonly number[],
  days: { today: string; lastDay: string },
): Problems | null {
  const values = readValues(form);
  const missing = createMissingFieldsError(values);
  if (missing) return missing;
  const { raceDate = "", raceNumber } = values;
  const refuse = (field: string, message: string) => ({ message, errors: { [field]: message } });
  if (raceDate < days.today) return refuse("raceDate", DATE_PASSED_MESSAGE);
  if (raceDate > days.lastDay) return refuse("raceDate", DATE_TOO_FAR_AHEAD_MESSAGE);
  return taken.includes(Number(raceNumber))
    ? refuse("raceNumber", createRaceTakenMessage(Number(raceNumber)))
    : null;
}

function toFieldErrors(problems: Problems | null): Partial<Record<RaceField, string>> {
  return Object.fromEntries(
    RACE_FIELDS.map((field) => [field, problems?.errors?.[toInputName(field)]]),
  );
}

function readValues(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].map(([field, value]) => [field, String(value)]),
  );
}

/** Copies values typed before hydration into the draft, because React would overwrite them. */
function useTypedValues(
  form: React.RefObject<HTMLFormElement | null>,
  setDraft: (change: (draft: BatchDraft) => BatchDraft) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on hydration
  useEffect(() => {
    if (!form.current) return;
    const typed = readValues(form.current);
    if (typed.horseName || typed.reasoning || typed.venueId)
      setDraft((draft) => createDraft(draft.idempotencyKey, draft.raceDate, typed));
  }, []);
}
