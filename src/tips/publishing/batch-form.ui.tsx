import { Plus, Send } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useFetcher, useNavigate } from "react-router";
import { formatDate, timeAt } from "#domain/calendar.ts";
import { parseTime } from "#domain/parse-time.ts";
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
  blankRace,
  checkBatch,
  describeRaces,
  isBlankRace,
  moveBlankRaces,
  nextRace,
  offTimeWarning,
  type RaceDraft,
  type RaceField,
  racesWithHorses,
  readBatchForm,
  withRaceField,
  withTyped,
} from "./batch-form.ts";
import { type BatchAnswer, PUBLISHING_FAILED } from "./batch-result.ts";
import { RaceFields } from "./race-fields.ui.tsx";
import { KeptDrafts } from "./saved-drafts.ui.tsx";
import { reportedTimeOf, useBatchDay } from "./use-batch-day.ts";
import { useDraft } from "./use-draft.ts";

type BatchFormProps = {
  creatorId: string;
  venues: readonly { id: string; name: string }[];
  /** The first and last day that tips are taken for. */
  today: string;
  lastDay: string;
  /** The instant when the page was made, by the server's clock. */
  now: Date;
  /** How the form begins: blank, or as it was sent without scripts. */
  start: BatchDraft;
  /** What came of it where it was sent without scripts. */
  answer?: BatchAnswer;
  /** Answers a BatchDay for ?venue= and &date=. */
  dayAddress: string;
  /** Where to when it is published. */
  doneAddress: string;
};

/** The daily batch: one venue, one day, one to twelve races, filled in without a mouse if need be. */
export function BatchForm(props: BatchFormProps) {
  const { creatorId, venues, today, lastDay, start, dayAddress, doneAddress } = props;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(start);
  const [found, setFound] = useState<BatchProblems | null>(
    props.answer?.ok === false ? props.answer.problems : null,
  );
  const sending = useFetcher<BatchAnswer>();
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const { confirm } = useNotification();
  const day = useBatchDay(dayAddress, draft);
  const at = useMinute(props.now);
  const focusRace = useFocusOnNewRace(form, draft.races.length);

  useEffect(() => {
    setDraft((before) => {
      const races = moveBlankRaces(before.races, day.taken);
      return races === before.races ? before : { ...before, races: [...races] };
    });
  }, [day.taken]);

  const isEmpty = draft.races.every(isBlankRace);
  const show = useCallback((next: BatchDraft) => {
    setDraft(next);
    setFound(null);
  }, []);
  const { savedAt, drafts, open, begin, forget } = useDraft(
    `furlong-drafts:batch:${creatorId}`,
    draft,
    { isEmpty, onOpen: show },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before scripts ran
  useEffect(() => {
    if (form.current) setDraft(withTyped(start, readBatchForm(new FormData(form.current))));
  }, []);

  const venueName = venues.find((venue) => venue.id === draft.venueId)?.name ?? null;
  const problems = found ?? { messages: [], races: [] };
  const isPending = sending.state !== "idle";

  const change = (part: Partial<BatchDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setFound(null);
  };
  const changeRace = (index: number, field: RaceField, value: string) => {
    // From the newest draft: several fields may change before the form is drawn again.
    setDraft((before) => withRaceField(before, index, field, value));
    setFound(null);
  };
  const addRace = () => {
    if (draft.races.length >= MAX_RACES) return;
    focusRace(draft.races.length);
    change({ races: [...draft.races, nextRace(draft.races, day.taken)] });
  };
  const removeRace = (index: number) => {
    focusRace(Math.max(0, index - 1));
    change({ races: draft.races.filter((_, each) => each !== index) });
  };
  const startOver = async () => {
    const isSure = await confirm({
      title: "Discard this draft?",
      message: "Everything you have entered will be deleted.",
      confirmText: "Discard",
      cancelText: "Keep draft",
      destructive: true,
    });
    if (!isSure) return;
    forget();
    setFound(null);
    setDraft(newDraft(nextRace([], day.taken)));
  };
  const newDraft = (race: RaceDraft): BatchDraft => ({
    ...start,
    batchKey: crypto.randomUUID(),
    races: [race],
  });

  const publish = async () => {
    if (isPending) return;
    const answer = checkBatch(draft, day.taken, { today, lastDay });
    if (!answer.ok) {
      setFound(answer.problems);
      return;
    }
    const isSure = await confirm({
      title: `Publish ${countOfRaces(draft.races.length)}?`,
      message: `${venueName}, ${formatDate(draft.raceDate, "long")}: ${racesWithHorses(draft.races)}. You can't change a tip after publishing.`,
      confirmText: "Publish",
      cancelText: "Keep editing",
    });
    if (isSure && form.current) void sending.submit(form.current);
  };

  useEffect(() => {
    const answer = sending.data;
    if (!answer) return;
    if (!answer.ok) {
      setFound(answer.problems);
      return;
    }
    forget();
    showToast({
      type: "success",
      title: `${countOfRaces(answer.raceNumbers.length)} published`,
      message: `${answer.venueName}, ${formatDate(answer.raceDate, "short")}`,
    });
    navigate(doneAddress);
  }, [sending.data, forget, navigate, doneAddress]);

  useEffect(() => {
    if (found) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [found]);

  return (
    <sending.Form
      ref={form}
      method="post"
      noValidate
      data-keeps-draft
      {...PUBLISHING_FAILED}
      onSubmit={(event) => {
        event.preventDefault();
        void publish();
      }}
      onKeyDown={(event) => goOnByKeyboard(event, addRace)}
      className="grid gap-4 [&_:is(input,select,textarea)]:scroll-mb-28"
    >
      <input type="hidden" name="batchKey" value={draft.batchKey} />
      {problems.messages.length > 0 ? (
        <FormMessage type="error" title="Your tips are not published yet">
          <ul>
            {problems.messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </FormMessage>
      ) : null}
      <KeptDrafts
        drafts={drafts}
        venueName={(venueId) => venues.find((venue) => venue.id === venueId)?.name}
        onOpen={(batchKey) => void open(batchKey)}
        onBegin={savedAt && !isEmpty ? () => begin(newDraft(blankRace(1))) : undefined}
      />
      <div className="grid gap-4 sm:grid-cols-2 lg:max-w-2xl">
        <SelectField
          label="Venue"
          name="venueId"
          placeholder="Select a venue"
          required
          value={draft.venueId}
          onChange={(event) => change({ venueId: event.target.value })}
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
          onChange={(event) => change({ raceDate: event.target.value })}
          error={problems.raceDate}
        />
      </div>
      {day.taken.length > 0 && venueName ? (
        <FormMessage
          type="info"
          title={`Your race card at ${venueName} already has ${describeRaces(day.taken)}`}
        >
          New races are added to the same race card. Anyone who has already opened it sees them at
          no extra cost.
        </FormMessage>
      ) : null}
      {draft.races.map((race, index) => (
        <RaceFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a race has no name of its own; its values come from the draft
          key={index}
          index={index}
          race={race}
          errors={problems.races[index] ?? {}}
          taken={day.taken}
          reportedTime={reportedTimeOf(day, race.raceNumber)}
          timeWarning={offTimeWarning(
            draft.raceDate,
            reportedTimeOf(day, race.raceNumber) ?? parseTime(race.raceTime),
            at,
          )}
          onChange={(field, value) => changeRace(index, field, value)}
          onRemove={hydrated && draft.races.length > 1 ? () => removeRace(index) : undefined}
        />
      ))}
      <p className="text-xs text-ink-3">
        If a race has no known off time, publish before 11:00 on race day or the tip won't count in
        your record.
        {hydrated ? " Press Enter for the next field, Ctrl+Enter for the next race." : null}
      </p>
      <div className="sticky bottom-(--strip) z-10 -mx-4 flex items-center gap-x-2 border-t border-ink sm:gap-x-4 bg-paper px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6">
        <p className="min-w-0 flex-1 text-sm text-ink-2">
          <span className="font-semibold text-ink">
            {draft.races.length} of {MAX_RACES} races
          </span>
          {savedAt && !isEmpty ? (
            <span className="block text-xs">
              Draft saved<span className="max-sm:sr-only"> on this device</span>, {timeAt(savedAt)}{" "}
              <button type="button" onClick={startOver} className="link tap">
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
    </sending.Form>
  );
}

/** A batch to begin with. */
export function newBatch(batchKey: string, raceDate: string, races = 1): BatchDraft {
  return {
    batchKey,
    venueId: "",
    raceDate,
    races: Array.from({ length: races }, (_, index) => blankRace(index + 1)),
  };
}

function countOfRaces(count: number): string {
  return count === 1 ? "1 race" : `${count} races`;
}

/** The off time, unless it is reported already. */
const FIRST_OF_RACE = "[name$='.raceTime']:not([readonly]), [name$='.horseNumber']";

/** Answers a function that names the race to go to once it is there. */
function useFocusOnNewRace(form: React.RefObject<HTMLFormElement | null>, count: number) {
  const wanted = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when a race came or went
  useEffect(() => {
    if (wanted.current === null) return;
    const race = form.current?.querySelector(`[data-race="${wanted.current}"]`);
    wanted.current = null;
    race?.querySelector<HTMLElement>(FIRST_OF_RACE)?.focus();
    race?.scrollIntoView({ block: "nearest", behavior: "auto" });
  }, [count]);
  return (index: number) => {
    wanted.current = index;
  };
}

/**
 * Enter leads from field to field, so that it never publishes by accident; with Ctrl (or the command
 * key) it begins the next race. In the analysis Enter alone is a new line.
 */
function goOnByKeyboard(event: KeyboardEvent<HTMLFormElement>, addRace: () => void): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  const here = event.target as HTMLElement;
  if (here.tagName === "BUTTON" || here.tagName === "A") return;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    addRace();
    return;
  }
  if (here.tagName === "TEXTAREA") return;
  event.preventDefault();
  const group = (element: Element) =>
    element instanceof HTMLInputElement && element.type === "radio" ? element.name : null;
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      "input:not([type=hidden], [readonly]), select, textarea, button[type=submit]",
    ),
  ];
  const next = stops
    .slice(stops.indexOf(here) + 1)
    .find((element) => group(element) === null || group(element) !== group(here));
  const name = next ? group(next) : null;
  const chosen = name
    ? event.currentTarget.querySelector<HTMLElement>(`input[name="${name}"]:checked`)
    : null;
  (chosen ?? next)?.focus();
}
