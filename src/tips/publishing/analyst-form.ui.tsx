import { type FormEvent, useCallback, useEffect, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import type { AnalystTipFormResult, CreatorLoginResult } from "#creators/creators.ui.tsx";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { useFocusFirstError } from "#identity/identity.ui.tsx";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { MAX_ANALYST_HORSE_NUMBER, missingFieldsMessage } from "./analyst-tip.input.ts";
import { DAY_OVER, DAY_TOO_FAR, raceTakenMessage } from "./batch.input.ts";
import {
  type BatchDraft,
  blankRace,
  isBlankRace,
  RACE_FIELDS,
  type RaceField,
  withRaceField,
} from "./batch-form.ts";
import { PUBLISHING_FAILURE_MESSAGES } from "./batch-result.ts";
import { RaceInputs } from "./race-fields.ui.tsx";
import { SavedDrafts } from "./saved-drafts.ui.tsx";
import { reportedTimeOf, useBatchDay } from "./use-batch-day.ts";
import { useDraft } from "./use-draft.ts";

type AnalystFormProps = {
  creatorId: string;
  name: string;
  venues: readonly { value: string; label: string }[];
  /** The first and last date for which tips can be published. */
  today: string;
  lastDay: string;
  idempotencyKey: string;
  /** The result of the last submission. */
  result?: AnalystTipFormResult;
  /** Returns a BatchDay for ?venue= and &date=. */
  dayUrl: string;
};
type Problems = Omit<CreatorLoginResult, "values">;

/** Returns the input name of a field. The analysis is called "reasoning" in this form. */
const inputName = (field: RaceField) => (field === "analysis" ? "reasoning" : field);

/**
 * The form for one analyst tip. Needs a new React key after each published tip to reset its state.
 */
export function AnalystForm(props: AnalystFormProps) {
  const { creatorId, name, venues, today, lastDay, result, dayUrl } = props;
  const refused = result?.ok === false ? result : null;
  const [draft, setDraft] = useState(() =>
    draftOf(props.idempotencyKey, today, refused?.values ?? {}),
  );
  const [found, setFound] = useState<Problems | null>(refused);
  const form = useFocusFirstError(found);
  const submit = useSubmit();
  const { confirm } = useNotification();
  const isPending = useNavigation().formMethod === "POST";
  const day = useBatchDay(dayUrl, draft);
  const race = draft.races[0] ?? blankRace(null);
  const reportedTime = reportedTimeOf(day, race.raceNumber);

  const isEmpty = isBlankRace(race);
  const show = useCallback((next: BatchDraft) => {
    setDraft(next);
    setFound(null);
  }, []);
  const {
    savedAt,
    drafts,
    open,
    startNew,
    discard: discardSaved,
  } = useDraft(`furlong-drafts:tip:${creatorId}`, draft, { isEmpty, onOpen: show });
  useTypedValues(form, setDraft);
  useEffect(() => {
    if (result?.ok === false) setFound(result);
    if (result?.ok) discardSaved(result.idempotencyKey);
  }, [result, discardSaved]);

  const change = (part: Partial<BatchDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setFound(null);
  };

  const publish = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formElement = event.currentTarget;
    if (isPending) return;
    const problems = problemsOf(formElement, day.taken, { today, lastDay });
    if (problems) {
      setFound(problems);
      return;
    }
    const venueName = venues.find((venue) => venue.value === draft.venueId)?.label;
    const isSure = await confirm({
      title: `Publish race ${race.raceNumber}?`,
      message: `${venueName}, ${formatDate(draft.raceDate, "long")}: no. ${race.horseNumber} ${race.horseName.trim()}. You can't change a tip after publishing.`,
      confirmText: "Publish",
      cancelText: "Keep editing",
    });
    if (isSure) void submit(formElement);
  };
  const discard = () => {
    discardSaved();
    change(draftOf(crypto.randomUUID(), today, {}));
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
      {found?.message ? (
        <FormMessage type="error" title={found.title} className="col-span-6">
          {found.message}
        </FormMessage>
      ) : null}
      <SavedDrafts
        drafts={drafts}
        venueName={(venueId) => venues.find((venue) => venue.value === venueId)?.label}
        onOpen={(idempotencyKey) => void open(idempotencyKey)}
        onStart={
          savedAt && !isEmpty ? () => startNew(draftOf(crypto.randomUUID(), today, {})) : undefined
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
        error={found?.errors.venueId}
        value={draft.venueId}
        onChange={(event) => change({ venueId: event.target.value })}
        label="Venue"
        placeholder="Select a venue"
        options={venues}
        className="col-span-6 @md:col-span-3"
      />
      <TextField
        name="raceDate"
        required
        error={found?.errors.raceDate}
        value={draft.raceDate}
        onChange={(event) => change({ raceDate: event.target.value })}
        label="Race date"
        type="date"
        min={today}
        max={lastDay}
        className="col-span-6 @md:col-span-3"
      />
      <RaceInputs
        race={race}
        errors={errorsOf(found)}
        taken={day.taken}
        reportedTime={reportedTime}
        onChange={(field, value) => {
          setDraft((before) => withRaceField(before, 0, field, value));
          setFound(null);
        }}
        inputName={inputName}
        isTimeRequired
        maxHorseNumber={MAX_ANALYST_HORSE_NUMBER}
        analysisField={{ label: "Reasoning", rows: 5 }}
      />
      <p className="col-span-6 text-xs text-ink-3">
        You can't change a tip after publishing. Your name and photo are shown with it.
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

function draftOf(
  idempotencyKey: string,
  today: string,
  values: CreatorLoginResult["values"],
): BatchDraft {
  const race = blankRace(null);
  for (const field of RACE_FIELDS) race[field] = values[inputName(field)] ?? "";
  return {
    idempotencyKey: values.idempotencyKey ?? idempotencyKey,
    venueId: values.venueId ?? "",
    raceDate: values.raceDate ?? today,
    races: [race],
  };
}

/** Validates the form in the browser, before the confirmation. Returns null if nothing is wrong. */
function problemsOf(
  form: HTMLFormElement,
  taken: readonly number[],
  days: { today: string; lastDay: string },
): Problems | null {
  const values = valuesOf(form);
  const missing = missingFieldsMessage(values);
  if (missing) return missing;
  const { raceDate = "", raceNumber } = values;
  const refuse = (field: string, message: string) => ({ message, errors: { [field]: message } });
  if (raceDate < days.today) return refuse("raceDate", DAY_OVER);
  if (raceDate > days.lastDay) return refuse("raceDate", DAY_TOO_FAR);
  return taken.includes(Number(raceNumber))
    ? refuse("raceNumber", raceTakenMessage(Number(raceNumber)))
    : null;
}

function errorsOf(found: Problems | null): Partial<Record<RaceField, string>> {
  return Object.fromEntries(RACE_FIELDS.map((field) => [field, found?.errors[inputName(field)]]));
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
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
    const typed = valuesOf(form.current);
    if (typed.horseName || typed.reasoning || typed.venueId)
      setDraft((draft) => draftOf(draft.idempotencyKey, draft.raceDate, typed));
  }, []);
}
