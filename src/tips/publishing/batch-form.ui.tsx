import { Plus, Send } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useFetcher, useNavigate } from "react-router";
import { describeCutOff } from "#domain/batch.ts";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { formatRaceCount } from "#domain/format-race-count.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useHydrated } from "#ui/hooks/use-hydrated.ts";
import { useMinute } from "#ui/hooks/use-minute.ts";
import { useNotification } from "#ui/notifications/notification.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import {
  type BatchDraft,
  type BatchProblems,
  changeRaceField,
  clearUndeclaredHorses,
  createBlankRace,
  createNextRace,
  createTypedValuesUpdate,
  describeRaces,
  describeRacesWithHorses,
  findOffTimeWarning,
  isBlankRace,
  parseBatchForm,
  type RaceDraft,
  type RaceField,
  renumberBlankRaces,
  validateBatch,
} from "./batch-form.ts";
import { type BatchFormResult, PUBLISHING_FAILURE_MESSAGES } from "./batch-result.ts";
import { RaceFields } from "./race-fields.ui.tsx";
import { SavedDrafts } from "./saved-drafts.ui.tsx";
import { findReportedTime, useBatchDay } from "./use-batch-day.ts";
import { useDraft } from "./use-draft.ts";

const NO_ERRORS: BatchProblems["races"][number] = {};

type BatchFormProps = {
  creatorId: string;
  venues: readonly { id: string; name: string }[];
  /** The first and last date for which tips can be published. */
  today: string;
  lastDay: string;
  cutOffMinutes: number;
  /** The server's time when the page was rendered. */
  now: Date;
  /** The initial draft: blank, or as submitted without JavaScript. */
  initialDraft: BatchDraft;
  /** The result of a submission without JavaScript. */
  result?: BatchFormResult;
  /** Returns a BatchDay for ?venue= and &date=. */
  batchDayUrl: string;
  /** Where to navigate after publishing. */
  successUrl: string;
};

/**
 * The daily batch form: one venue, one day and one to twelve races. Usable with the keyboard alone.
 */
export function BatchForm(props: BatchFormProps) {
  const { creatorId, venues, today, lastDay, initialDraft, batchDayUrl, successUrl } = props;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initialDraft);
  const [validationProblems, setValidationProblems] = useState<BatchProblems | null>(
    props.result?.ok === false ? props.result.problems : null,
  );
  const fetcher = useFetcher<BatchFormResult>();
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const { confirm } = useNotification();
  const day = useBatchDay(batchDayUrl, draft);
  const at = useMinute(props.now);
  const focusRace = useFocusOnNewRace(form, draft.races.length);

  useEffect(() => {
    setDraft((before) => {
      const races = renumberBlankRaces(before.races, day.publishedNumbers);
      return races === before.races ? before : { ...before, races: [...races] };
    });
  }, [day.publishedNumbers]);

  const isEmpty = draft.races.every(isBlankRace);
  const showDraft = useCallback((next: BatchDraft) => {
    setDraft(next);
    setValidationProblems(null);
  }, []);
  const { savedAt, drafts, open, startNew, discard } = useDraft(
    `furlong-drafts:batch:${creatorId}`,
    draft,
    { isEmpty, onOpen: showDraft },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for values typed before hydration
  useEffect(() => {
    if (form.current)
      setDraft(createTypedValuesUpdate(initialDraft, parseBatchForm(new FormData(form.current))));
  }, []);

  const venueName = venues.find((venue) => venue.id === draft.venueId)?.name ?? null;
  const problems = validationProblems ?? { messages: [], races: [] };
  const isPending = fetcher.state !== "idle";

  const changeDraft = (changes: Partial<BatchDraft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    setValidationProblems(null);
  };
  const changeRace = useCallback((index: number, field: RaceField, value: string) => {
    // Uses a functional update, because several fields may change before the next render.
    setDraft((before) => changeRaceField(before, index, field, value));
    setValidationProblems(null);
  }, []);
  const addRace = () => {
    if (draft.races.length >= MAX_RACES) return;
    focusRace(draft.races.length);
    changeDraft({ races: [...draft.races, createNextRace(draft.races, day.publishedNumbers)] });
  };
  const removeRace = useCallback(
    (index: number) => {
      focusRace(Math.max(0, index - 1));
      setDraft((before) => ({
        ...before,
        races: before.races.filter((_, each) => each !== index),
      }));
      setValidationProblems(null);
    },
    [focusRace],
  );
  const discardDraft = async () => {
    const isConfirmed = await confirm({
      title: "Discard this draft?",
      message: "Everything you have entered will be deleted.",
      confirmText: "Discard",
      cancelText: "Keep draft",
      destructive: true,
    });
    if (!isConfirmed) return;
    discard();
    setValidationProblems(null);
    setDraft(newDraft(createNextRace([], day.publishedNumbers)));
  };
  const newDraft = (race: RaceDraft): BatchDraft => ({
    ...initialDraft,
    idempotencyKey: crypto.randomUUID(),
    races: [race],
  });

  const publish = async () => {
    if (isPending) return;
    const validated = validateBatch(
      clearUndeclaredHorses(draft, day.runners),
      day.publishedNumbers,
      { today, lastDay },
    );
    if (!validated.ok) {
      setValidationProblems(validated.problems);
      return;
    }
    const isConfirmed = await confirm({
      title: `Publish ${formatRaceCount(draft.races.length)}?`,
      message: `${venueName}, ${formatDate(draft.raceDate, "long")}: ${describeRacesWithHorses(draft.races)}. You can't change a tip after publishing.`,
      confirmText: "Publish",
      cancelText: "Keep editing",
    });
    if (isConfirmed && form.current) void fetcher.submit(form.current);
  };

  useEffect(() => {
    const result = fetcher.data;
    if (!result) return;
    if (!result.ok) {
      setValidationProblems(result.problems);
      return;
    }
    discard();
    showToast({
      type: "success",
      title: `${formatRaceCount(result.raceNumbers.length)} published`,
      message: `${result.venueName}, ${formatDate(result.raceDate, "short")}`,
    });
    navigate(successUrl);
  }, [fetcher.data, discard, navigate, successUrl]);

  useEffect(() => {
    if (validationProblems)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [validationProblems]);

  return (
    <fetcher.Form
      ref={form}
      method="post"
      noValidate
      data-keeps-draft
      {...PUBLISHING_FAILURE_MESSAGES}
      onSubmit={(event) => {
        event.preventDefault();
        void publish();
      }}
      onKeyDown={(event) => handleEnterKey(event, addRace)}
      className="grid gap-4 [&_:is(input,select,textarea)]:scroll-mb-28"
    >
      <input type="hidden" name="idempotencyKey" value={draft.idempotencyKey} />
      {problems.messages.length > 0 ? (
        <FormMessage type="error" title="Your tips are not published yet">
          <ul>
            {problems.messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </FormMessage>
      ) : null}
      <SavedDrafts
        drafts={drafts}
        venueName={(venueId) => venues.find((venue) => venue.id === venueId)?.name}
        onOpen={(idempotencyKey) => void open(idempotencyKey)}
        onStart={savedAt && !isEmpty ? () => startNew(newDraft(createBlankRace(1))) : undefined}
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:max-w-2xl">
        <SelectField
          label="Venue"
          name="venueId"
          placeholder="Select a venue"
          required
          value={draft.venueId}
          onChange={(event) => changeDraft({ venueId: event.target.value })}
          options={venues.map((venue) => ({ value: venue.id, label: venue.name }))}
          error={problems.venueId}
        />
        <TextField
          label="Race date"
          name="raceDate"
          type="date"
          required
          min={today}
          max={lastDay}
          value={draft.raceDate}
          onChange={(event) => changeDraft({ raceDate: event.target.value })}
          error={problems.raceDate}
        />
      </div>
      {day.publishedNumbers.length > 0 && venueName ? (
        <FormMessage
          type="info"
          title={`Your race card at ${venueName} already has ${describeRaces(day.publishedNumbers)}`}
        >
          New races are added to the same race card. Anyone who has already opened it sees them at
          no extra cost.
        </FormMessage>
      ) : null}
      {draft.races.map((race, index) => (
        <RaceFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a race has no id; its values come from the draft
          key={index}
          index={index}
          race={race}
          errors={problems.races[index] ?? NO_ERRORS}
          day={day}
          timeWarning={findOffTimeWarning(
            draft.raceDate,
            findReportedTime(day, race.raceNumber),
            at,
          )}
          onChange={changeRace}
          onRemove={hydrated && draft.races.length > 1 ? removeRace : undefined}
        />
      ))}
      <p className="text-xs text-ink-3">
        A race closes for tips {describeCutOff(props.cutOffMinutes)}. If it has no known off time,
        publish before 11:00 on race day or the tip won't count in your record.
        {hydrated ? " Press Enter for the next field, Ctrl+Enter for the next race." : null}
      </p>
      <div className="sticky bottom-(--offline-notice-height) z-10 -mx-4 flex items-center gap-x-2 border-t border-ink sm:gap-x-4 bg-paper px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6">
        <p className="min-w-0 flex-1 text-sm text-ink-2">
          <span className="font-semibold text-ink">
            {draft.races.length} of {MAX_RACES} races
          </span>
          {savedAt && !isEmpty ? (
            <span className="block text-xs">
              Draft saved<span className="max-sm:sr-only"> on this device</span>, {timeAt(savedAt)}{" "}
              <button type="button" onClick={discardDraft} className="link tap">
                Discard
              </button>
            </span>
          ) : null}
        </p>
        {hydrated ? (
          <Button
            variant="secondary"
            icon={<Plus aria-hidden="true" />}
            onClick={addRace}
            disabled={draft.races.length >= MAX_RACES}
          >
            <span className="max-sm:sr-only">Add race</span>
          </Button>
        ) : null}
        <Button
          type="submit"
          icon={<Send aria-hidden="true" />}
          pending={isPending}
          pendingLabel="Publishing"
        >
          {draft.races.length === 1 ? "Publish tip" : `Publish ${draft.races.length} races`}
        </Button>
      </div>
    </fetcher.Form>
  );
}

/** Returns a draft of a batch with blank races. */
export function createBatchDraft(idempotencyKey: string, raceDate: string, races = 1): BatchDraft {
  return {
    idempotencyKey,
    venueId: "",
    raceDate,
    races: Array.from({ length: races }, (_, index) => createBlankRace(index + 1)),
  };
}

/**
 * Matches the first editable field of a race: the off time, or the horse if the off time is
 * reported.
 */
const FIRST_EDITABLE_FIELD = "[name$='.raceTime']:not([readonly]), [name$='.horseNumber']";

/**
 * Returns a function that moves the focus to a race after the next render that adds or removes one.
 */
function useFocusOnNewRace(form: React.RefObject<HTMLFormElement | null>, count: number) {
  const target = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the number of races changes
  useEffect(() => {
    if (target.current === null) return;
    const race = form.current?.querySelector(`[data-race="${target.current}"]`);
    target.current = null;
    race?.querySelector<HTMLElement>(FIRST_EDITABLE_FIELD)?.focus();
    race?.scrollIntoView({ block: "nearest", behavior: "auto" });
  }, [count]);
  return useCallback((index: number) => {
    target.current = index;
  }, []);
}

/**
 * Handles the Enter key: it moves the focus to the next field instead of submitting, and Ctrl+Enter
 * (or Cmd+Enter) adds a race. In a textarea Enter alone starts a new line.
 */
function handleEnterKey(event: KeyboardEvent<HTMLFormElement>, addRace: () => void): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  const current = event.target as HTMLElement;
  if (current.tagName === "BUTTON" || current.tagName === "A") return;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    addRace();
    return;
  }
  if (current.tagName === "TEXTAREA") return;
  event.preventDefault();
  const readRadioName = (element: Element) =>
    element instanceof HTMLInputElement && element.type === "radio" ? element.name : null;
  const focusableElements = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      "input:not([type=hidden], [readonly]), select, textarea, button[type=submit]",
    ),
  ];
  const next = focusableElements
    .slice(focusableElements.indexOf(current) + 1)
    .find(
      (element) =>
        readRadioName(element) === null || readRadioName(element) !== readRadioName(current),
    );
  const name = next ? readRadioName(next) : null;
  const checkedRadio = name
    ? event.currentTarget.querySelector<HTMLElement>(`input[name="${name}"]:checked`)
    : null;
  (checkedRadio ?? next)?.focus();
}
