import { Plus, Send } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useFetcher, useNavigate } from "react-router";
import { describeClosedRace, describeCutOff } from "#domain/batch.ts";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { formatRaceCount, formatRaceNumbers } from "#domain/format-races.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { Button } from "#ui/button.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { SelectField } from "#ui/forms/select-field.tsx";
import { TextField } from "#ui/forms/text-field.tsx";
import { useResponse } from "#ui/forms/use-response.ts";
import { useNotification } from "#ui/notifications/notification.tsx";
import { showToast } from "#ui/notifications/toast.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import { useMinute } from "#ui/use-minute.ts";
import {
  type BatchDraft,
  type BatchProblems,
  changeRaceField,
  createBlankRace,
  createNextRace,
  createTypedValuesUpdate,
  describeRacesWithHorses,
  fillRaces,
  findOffTimeWarning,
  isBlankRace,
  layOutRaces,
  listClosings,
  listFilledRaces,
  matchRunners,
  parseBatchForm,
  type RaceDraft,
  type RaceField,
  validateBatch,
} from "./batch-form.ts";
import { type BatchFormResult, PUBLISHING_FAILURE_MESSAGES } from "./batch-result.ts";
import { LastLook } from "./last-look.ui.tsx";
import { parseTipLines } from "./parse-tip-lines.ts";
import { RaceFields, RaceLineHeadings } from "./race-fields.ui.tsx";
import { RacePicker } from "./race-picker.ui.tsx";
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
  const closings = listClosings(day, props.cutOffMinutes, at);
  const [current, showRace, setCurrent] = useCurrentRace(form);

  useResponse(day.venueId ? day : null, () =>
    setDraft((before) => {
      const races = layOutRaces(before.races, day, closings, initialDraft.races.length);
      return races === before.races ? before : { ...before, races: [...races] };
    }),
  );

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
    showRace(draft.races.length);
    changeDraft({ races: [...draft.races, createNextRace(draft.races, day.publishedNumbers)] });
  };
  const removeRace = useCallback(
    (index: number) => {
      showRace(Math.max(0, index - 1));
      setDraft((before) => ({
        ...before,
        races: before.races.filter((_, each) => each !== index),
      }));
      setValidationProblems(null);
    },
    [showRace],
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

  const filled = listFilledRaces(draft.races);
  const blank = draft.races.filter((race) => !filled.includes(race));
  const isWithoutHorse = (race: RaceDraft) => race.horseName === "";
  const withoutHorse = draft.races.filter(isWithoutHorse).length;
  const showNextWithoutHorse = () => {
    const next = draft.races.findIndex((race, index) => index > current && isWithoutHorse(race));
    showRace(next >= 0 ? next : draft.races.findIndex(isWithoutHorse));
  };
  const pasteLines = (event: ClipboardEvent<HTMLFormElement>) => {
    const lines = parseTipLines(event.clipboardData.getData("text"));
    const race = findRaceIndex(event.target);
    if (lines.length < 2 || race === null || event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    changeDraft(fillRaces(draft, lines, race, day));
  };

  const showNext = useCallback((index: number) => showRace(index + 1), [showRace]);
  const describeOffTime = (raceNumber: string) => {
    const closing = closings.get(raceNumber);
    return closing
      ? describeClosedRace(Number(raceNumber), closing)
      : findOffTimeWarning(draft.raceDate, findReportedTime(day, raceNumber), at);
  };

  const publish = async () => {
    if (isPending) return;
    const validated = validateBatch(matchRunners(draft, day.runners), day.publishedNumbers, {
      today,
      lastDay,
      closings,
    });
    if (!validated.ok) {
      setValidationProblems(validated.problems);
      return;
    }
    const meeting = `${venueName}, ${formatDate(draft.raceDate, "long")}`;
    const isConfirmed = await confirm({
      title: `Publish ${formatRaceCount(filled.length)}?`,
      message: <LastLook meeting={meeting} races={validated.batch.races} blank={blank} />,
      plainMessage: `${meeting}: ${describeRacesWithHorses(filled)}. You can't change a tip after publishing.`,
      confirmText: "Publish",
      cancelText: "Keep editing",
    });
    if (isConfirmed && form.current) void fetcher.submit(form.current);
  };

  useResponse(fetcher.data, (result) => {
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
  });

  useEffect(() => {
    if (!validationProblems) return;
    const invalid = validationProblems.races.findIndex((race) => Object.keys(race).length > 0);
    const isAbove = validationProblems.venueId || validationProblems.raceDate;
    if (invalid >= 0 && !isAbove) setCurrent({ index: invalid, focus: "error" });
    else form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [validationProblems, setCurrent]);

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
      onKeyDown={(event) => handleEnterKey(event, { addRace, showRace })}
      onPaste={pasteLines}
      onFocus={({ target }) => {
        const index = findRaceIndex(target);
        if (index !== null && index !== current) setCurrent({ index });
      }}
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
          title={`Your race card at ${venueName} already has ${formatRaceNumbers(day.publishedNumbers)}`}
        >
          New races are added to the same race card. Anyone who has already opened it sees them at
          no extra cost.
        </FormMessage>
      ) : null}
      {day.offTimes.length > 0 &&
      day.offTimes.every(({ raceNumber }) => closings.has(String(raceNumber))) ? (
        <FormMessage type="warning">All races of this day have closed for tips.</FormMessage>
      ) : null}
      <div className="@container">
        {hydrated && draft.races.length > 1 ? (
          <RacePicker
            races={draft.races}
            problems={problems.races}
            current={current}
            onShow={showRace}
          />
        ) : null}
        <RaceLineHeadings />
        <div className="grid gap-4 @4xl:gap-0 @4xl:border-b @4xl:border-rule">
          {draft.races.map((race, index) => (
            <RaceFields
              // biome-ignore lint/suspicious/noArrayIndexKey: a race has no id; its values come from the draft
              key={index}
              index={index}
              race={race}
              errors={problems.races[index] ?? NO_ERRORS}
              day={day}
              isCurrent={!hydrated || index === current}
              timeWarning={describeOffTime(race.raceNumber)}
              onChange={changeRace}
              onRemove={hydrated && draft.races.length > 1 ? removeRace : undefined}
              onNext={hydrated && index < draft.races.length - 1 ? showNext : undefined}
            />
          ))}
        </div>
      </div>
      <p className="text-xs text-ink-3">
        A race closes for tips {describeCutOff(props.cutOffMinutes)}. If it has no known off time,
        publish before 11:00 on race day or the tip won't count in your record.
        {hydrated
          ? " A race without a horse is left out. Press Enter for the next field, Shift+Enter for a new line and Ctrl+Enter for another race. To fill in a whole card, paste one race a line into a horse field: 4 Lantern Ladder W H Drawn well."
          : null}
      </p>
      <div className="sticky bottom-(--offline-notice-height) z-10 -mx-4 flex items-center gap-x-2 border-t border-ink sm:gap-x-4 bg-paper px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6">
        <p className="min-w-0 flex-1 text-sm text-ink-2">
          <span className="font-semibold text-ink">{formatRaceCount(draft.races.length)}</span>
          {hydrated && withoutHorse > 0 ? (
            <span className="max-sm:hidden">
              {", "}
              <button type="button" onClick={showNextWithoutHorse} className="link tap">
                {withoutHorse} without a horse
              </button>
            </span>
          ) : null}
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
          {isEmpty || filled.length === 1 ? "Publish tip" : `Publish ${filled.length} races`}
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
const FIRST_EDITABLE_FIELD =
  "[name$='.raceTime']:not([readonly]), [name$='.horseNumber']:not([type=hidden]), [list]";

/** Returns the index of the race that contains a field, or null. */
function findRaceIndex(target: EventTarget): number | null {
  const race = (target as Element).closest<HTMLElement>("[data-race]");
  return race ? Number(race.dataset.race) : null;
}

type CurrentRace = { index: number; focus?: "first" | "error" };

/**
 * Returns the index of the current race, a function that shows a race and moves the focus to it after the next render,
 * and the setter of both.
 */
function useCurrentRace(form: React.RefObject<HTMLFormElement | null>) {
  const [current, setCurrent] = useState<CurrentRace>({ index: 0 });
  useEffect(() => {
    if (!current.focus) return;
    const race = form.current?.querySelector(`[data-race="${current.index}"]`);
    const selector = current.focus === "error" ? "[aria-invalid=true]" : FIRST_EDITABLE_FIELD;
    race?.querySelector<HTMLElement>(selector)?.focus();
    race?.scrollIntoView({ block: "nearest", behavior: "auto" });
  }, [current, form]);
  const showRace = useCallback((index: number) => setCurrent({ index, focus: "first" }), []);
  return [current.index, showRace, setCurrent] as const;
}

/**
 * Handles the Enter key. It moves the focus to the next field that is not chosen yet instead of submitting, and from the
 * last one to the next race. Ctrl+Enter (or Cmd+Enter) adds a race, Shift+Enter starts a new line in an analysis.
 */
function handleEnterKey(
  event: KeyboardEvent<HTMLFormElement>,
  { addRace, showRace }: { addRace: () => void; showRace: (index: number) => void },
): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  const field = event.target as HTMLElement;
  if (field.tagName === "BUTTON" || field.tagName === "A") return;
  if (event.shiftKey && field.tagName === "TEXTAREA") return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) {
    addRace();
    return;
  }
  const form = event.currentTarget;
  const race = field.closest<HTMLElement>("[data-race]");
  if (field.tagName === "TEXTAREA" && race) {
    const next = Number(race.dataset.race) + 1;
    if (form.querySelector(`[data-race="${next}"]`)) showRace(next);
    else form.querySelector<HTMLElement>("button[type=submit]")?.focus();
    return;
  }
  const fields = [
    ...form.querySelectorAll<HTMLElement>("input:not([type=hidden], [readonly]), select, textarea"),
  ];
  const isToFill = (next: HTMLElement) =>
    !(next instanceof HTMLInputElement && next.type === "radio") ||
    form.querySelector(`input[name="${next.name}"]:checked`) === null;
  const isSameGroup = (next: HTMLElement) =>
    field instanceof HTMLInputElement &&
    field.type === "radio" &&
    next.getAttribute("name") === field.name;
  fields
    .slice(fields.indexOf(field) + 1)
    .find((next) => isToFill(next) && !isSameGroup(next))
    ?.focus();
}
