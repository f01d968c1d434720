import { ChevronDown } from "lucide-react";
import { Link } from "react-router";
import { type CalendarDate, timeAt } from "#domain/calendar.ts";
import { SHORT_TIP_TYPES } from "#domain/tip.ts";
import type { PublicResult } from "#racing/racing.server.ts";
import { Countdown } from "#ui/countdown.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { RaceTime } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { ScratchedHorse } from "#ui/racing/scratched-horse.tsx";
import {
  countResults,
  type DayRace,
  type DaySelection,
  describeTally,
  groupByHorse,
  type SelectedHorse,
} from "./my-day.ts";

/** The official results of the day at one venue. */
export type DayMeeting = { venueName: string; results: readonly PublicResult[] };

const CHEVRON = (
  <ChevronDown
    aria-hidden="true"
    className="size-4 shrink-0 text-ink-3 transition-transform duration-150 group-open:rotate-180"
  />
);
const SUMMARY_CLASSES =
  "list-none hover:bg-well/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden";

/** The races with the next off, with each selection and the remaining time. */
export function NextOff({ races, readAt }: { races: readonly DayRace[]; readAt: Date }) {
  const [first] = races;
  if (!first?.offAt) return null;
  const numbers = [...new Set(races.map(({ raceNumber }) => raceNumber))];
  return (
    <section aria-labelledby="next-off">
      <div className="group-head">
        <h2 id="next-off">Next off</h2>
        <p>
          {timeAt(first.offAt)} · {numbers.length === 1 ? "race" : "races"} {numbers.join(", ")}
        </p>
        {/* Hidden in an offline copy, because the remaining time would be wrong when it is read. */}
        <p className="group-next [html[data-copy]_&]:hidden">
          <b>
            in <Countdown until={first.offAt.toISOString()} now={readAt.toISOString()} />
          </b>
        </p>
      </div>
      <ul className="divide-y divide-rule border-b border-rule bg-sheet">
        {races.flatMap((race) =>
          race.selections.map((selection) => (
            <li key={selection.id}>
              <SelectionDetails selection={selection} />
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

/** The later races in the order in which they run. Each expands to its selections and their analyses. */
export function LaterRaces({ races, date }: { races: readonly DayRace[]; date: CalendarDate }) {
  if (races.length === 0) return null;
  return (
    <section aria-labelledby="later">
      <div className="group-head">
        <h2 id="later">Later races</h2>
        <p>{races.length === 1 ? "1 race" : `${races.length} races, in the order they run`}</p>
      </div>
      <ol className="divide-y divide-rule border-b border-rule bg-sheet">
        {races.map((race) => (
          <li key={`${race.venueName} ${race.raceNumber}`}>
            <details className="group">
              <summary className={`flex items-start gap-3 px-4 py-2 ${SUMMARY_CLASSES}`}>
                <RaceTime
                  time={race.offAt && timeAt(race.offAt)}
                  date={date}
                  className="w-11 shrink-0 leading-5"
                />
                <span className="min-w-0 flex-1">
                  <span className="block text-sm leading-5 text-ink-2">
                    {race.venueName} {race.raceNumber}
                  </span>
                  <SelectedHorses race={race} />
                </span>
                {CHEVRON}
              </summary>
              <ul className="divide-y divide-rule border-t border-rule">
                {race.selections.map((selection) => (
                  <li key={selection.id}>
                    <SelectionText selection={selection} showsRace={false} />
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The races that have been run, with their known results, in a list that can be collapsed. */
export function FinishedRaces({
  races,
  date,
  meetings,
  isOpen,
}: {
  races: readonly DayRace[];
  date: CalendarDate;
  /** The official results of the day. */
  meetings: readonly DayMeeting[];
  /** True if the list is initially expanded. */
  isOpen: boolean;
}) {
  if (races.length === 0) return null;
  const tally = countResults(races.flatMap(({ selections }) => selections));
  return (
    <section aria-labelledby="run">
      <details open={isOpen} className="group">
        <summary className={`group-head items-center! ${SUMMARY_CLASSES}`}>
          <h2 id="run">Races run</h2>
          <p>
            <span className="max-sm:hidden">
              {races.length === 1 ? "1 race" : `${races.length} races`} ·{" "}
            </span>
            {describeTally(tally)}
          </p>
          <span className="ml-auto">{CHEVRON}</span>
        </summary>
        <ol className="divide-y divide-rule border-b border-rule bg-sheet">
          {races.map((race) => (
            <li key={`${race.venueName} ${race.raceNumber}`} className="flex gap-3 px-4 py-2">
              <RaceTime
                time={race.offAt && timeAt(race.offAt)}
                date={date}
                className="w-11 shrink-0 leading-5"
              />
              <div className="min-w-0 flex-1">
                <p className="text-sm leading-5 text-ink-2">
                  {race.venueName} {race.raceNumber}
                  <OfficialOutcome race={race} meetings={meetings} />
                </p>
                <ul>
                  {race.selections.map((selection) => (
                    <FinishedSelection key={selection.id} selection={selection} />
                  ))}
                </ul>
              </div>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

/** The winner of a race, or that it was not run, once its result is official. */
function OfficialOutcome({ race, meetings }: { race: DayRace; meetings: readonly DayMeeting[] }) {
  const result = meetings
    .find(({ venueName }) => venueName === race.venueName)
    ?.results.find(({ raceNumber }) => raceNumber === race.raceNumber);
  if (!result) return null;
  if (result.status !== "official")
    return result.status === "abandoned" ? " · abandoned" : " · void";
  const [winner] = result.order;
  return winner ? ` · won by ${winner.number} ${winner.horseName ?? ""}`.trimEnd() : null;
}

function FinishedSelection({ selection }: { selection: DaySelection }) {
  return (
    <li className="flex items-start justify-between gap-3 py-0.5">
      <span className="min-w-0">
        <b className="font-cond">{selection.horseNumber}</b>{" "}
        <span className="wrap-anywhere">
          <ScratchedHorse isScratched={selection.scratchedAt !== null}>
            {selection.horseName}
          </ScratchedHorse>
        </span>{" "}
        <span className="text-sm text-ink-2">
          {selection.tipsterName}, {SHORT_TIP_TYPES[selection.tipType]}
          {selection.isLate ? " · late, not counted" : ""}
        </span>
        <ResultBasis result={selection.result} basis={selection} className="block" />
      </span>
      {selection.result ? (
        <ResultBadge result={selection.result} className="mt-0.5 shrink-0" />
      ) : (
        <span className="shrink-0 text-sm text-ink-2">no result yet</span>
      )}
    </li>
  );
}

/** The selected horses of a race, each with the tipsters who selected it. */
function SelectedHorses({ race }: { race: DayRace }) {
  const horses = groupByHorse(race);
  return horses.map((horse) => (
    <span key={horse.horseNumber} className="block leading-6 wrap-anywhere">
      <b>
        {horse.horseNumber}{" "}
        <ScratchedHorse
          isScratched={horse.selections.some(({ scratchedAt }) => scratchedAt !== null)}
        >
          {horse.horseName}
        </ScratchedHorse>
      </b>{" "}
      <span className="text-sm text-ink-2">· {describeTipsters(horse, race)}</span>
    </span>
  ));
}

/** Returns who selected a horse, such as '2 of your 3 tipsters', 'both your tipsters' or 'Cape Doctor, medium'. */
function describeTipsters({ selections }: SelectedHorse, race: DayRace): string {
  const [first] = selections;
  const total = race.selections.length;
  if (selections.length === 1 && first) return `${first.tipsterName}, ${first.confidence}`;
  if (selections.length < total) return `${selections.length} of your ${total} tipsters`;
  return total === 2 ? "both your tipsters" : `all ${total} of your tipsters`;
}

/** A selection that expands to its analysis. */
function SelectionDetails({ selection }: { selection: DaySelection }) {
  return (
    <details className="group">
      <summary className={`px-4 py-2.5 ${SUMMARY_CLASSES}`}>
        <SelectionLine selection={selection} showsRace isExpandable />
      </summary>
      <Analysis selection={selection} />
    </details>
  );
}

function SelectionText({ selection, showsRace }: { selection: DaySelection; showsRace: boolean }) {
  return (
    <div className="pt-2.5">
      <div className="px-4">
        <SelectionLine selection={selection} showsRace={showsRace} />
      </div>
      <Analysis selection={selection} />
    </div>
  );
}

function Analysis({ selection }: { selection: DaySelection }) {
  return (
    <div className="max-w-prose px-4 pb-1 pl-[3.75rem] text-sm">
      <p className="whitespace-pre-line wrap-anywhere">{selection.analysis}</p>
      <Link
        to={`/race-cards/${selection.raceCardId}`}
        className="link inline-flex min-h-11 items-center"
      >
        {selection.tipsterName}: whole race card
      </Link>
    </div>
  );
}

function SelectionLine({
  selection,
  showsRace,
  isExpandable = false,
}: {
  selection: DaySelection;
  /** Shows the venue and the race before the tipster. */
  showsRace: boolean;
  /** Shows that the line expands to the analysis. */
  isExpandable?: boolean;
}) {
  const { horseNumber, horseName, tipType, confidence } = selection;
  return (
    <span className="flex items-center gap-2.5">
      <NumberCloth number={horseNumber} kind="saddle" />
      <span className="min-w-0 flex-1">
        <span className="block font-cond text-[1.1875rem] leading-6 font-bold wrap-anywhere">
          <ScratchedHorse isScratched={selection.scratchedAt !== null}>{horseName}</ScratchedHorse>
        </span>
        <span className="block text-sm leading-5 wrap-anywhere text-ink-2">
          {showsRace ? `${selection.venueName} R${selection.raceNumber} · ` : null}
          {selection.tipsterName}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-0.5">
        <span className="caps text-ink-2">
          {SHORT_TIP_TYPES[tipType]} · {confidence.toUpperCase()}
        </span>
        {isExpandable ? (
          <span className="inline-flex items-center gap-1 text-sm text-green-ink">
            analysis {CHEVRON}
          </span>
        ) : null}
      </span>
    </span>
  );
}
