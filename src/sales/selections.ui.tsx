import { useState } from "react";
import { type CalendarDate, dateAt, timeAt } from "#domain/calendar.ts";
import { TIP_TYPE_LABELS } from "#domain/tip.ts";
import { Badge } from "#ui/badge.tsx";
import { classNames } from "#ui/class-names.ts";
import { Confidence } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime, RaceTime } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { ScratchedHorse } from "#ui/racing/scratched-horse.tsx";
import { useHydrated } from "#ui/use-hydrated.ts";
import type { CardTip, OpenedTip } from "./opened-cards.server.ts";

/** An opened tip, or one whose selection is public, without its analysis. */
export type Selection = OpenedTip | (CardTip & { analysis?: never; scratchedAt?: never });

/**
 * The selections of an opened race card with their analyses, which are closed; one button opens them all. Shows the
 * time of publication once if all selections share it, otherwise per selection.
 */
export function Selections({
  selections,
  date,
  now,
  hasNextOpen = false,
  isNewlyOpened = false,
}: {
  selections: readonly Selection[];
  date: CalendarDate;
  now: Date;
  /** Shows the analysis of the next race. */
  hasNextOpen?: boolean;
  /** The rows appear one after the other. */
  isNewlyOpened?: boolean;
}) {
  const commonPublishedAt = findCommonPublishedAt(selections);
  // Stays at the off, so that an analysis does not close while it is read.
  const [nextId] = useState(() => (hasNextOpen ? findNextId(selections, now) : null));
  const [areAllOpen, setAllOpen] = useState(false);
  const hasSeveral = selections.filter(({ analysis }) => analysis).length > 1;
  const canOpenAll = useHydrated() && hasSeveral && !areAllOpen;
  return (
    <div className="border-y border-rule">
      {commonPublishedAt || hasSeveral ? (
        <div className="flex min-h-11 items-center justify-between gap-4 border-b border-rule px-4 text-xs text-ink-2">
          {commonPublishedAt ? (
            <p>
              Published <DateTime at={commonPublishedAt} />
            </p>
          ) : null}
          {canOpenAll ? (
            <button
              type="button"
              className="link tap ml-auto rounded-sm"
              onClick={() => setAllOpen(true)}
            >
              Open all
            </button>
          ) : null}
        </div>
      ) : null}
      <ol className="selections divide-y divide-rule">
        {selections.map((selection, index) => (
          <li
            key={selection.id}
            className={classNames(
              isRun(selection, date, now) && "run",
              isNewlyOpened && "reveal-row",
            )}
            style={isNewlyOpened ? { animationDelay: `${Math.min(index, 8) * 30}ms` } : undefined}
          >
            {selection.analysis ? (
              <details open={areAllOpen || selection.id === nextId}>
                <summary>
                  <SelectionRow {...{ selection, date, now }} hasPublication={!commonPublishedAt} />
                </summary>
                <p className="selection-analysis">{selection.analysis}</p>
              </details>
            ) : (
              <div>
                <SelectionRow {...{ selection, date, now }} hasPublication={!commonPublishedAt} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns the id of the selection of the next race, or of the only selection. */
function findNextId(selections: readonly Selection[], now: Date): string | null {
  if (selections.length === 1) return selections[0]?.id ?? null;
  let next: { id: string; offMs: number } | null = null;
  for (const { id, offAt, scratchedAt } of selections) {
    const offMs = offAt === null ? 0 : new Date(offAt).getTime();
    if (!scratchedAt && offMs > now.getTime() && (!next || offMs < next.offMs))
      next = { id, offMs };
  }
  return next?.id ?? null;
}

/** Returns true for a race that is off, on its day. Later, all races are, and none is marked. */
function isRun({ offAt }: Selection, date: CalendarDate, now: Date): boolean {
  return offAt !== null && new Date(offAt) <= now && date === dateAt(now);
}

/** Returns the publication time that all selections share, to the minute; null if they differ. */
function findCommonPublishedAt(selections: readonly Selection[]): Date | null {
  const [firstTime, ...otherTimes] = selections.map(({ publishedAt }) => new Date(publishedAt));
  if (!firstTime) return null;
  return otherTimes.every((time) => toMinute(time) === toMinute(firstTime)) ? firstTime : null;
}

function toMinute(instant: Date): number {
  return Math.floor(instant.getTime() / 60_000);
}

function SelectionRow({
  selection,
  date,
  now,
  hasPublication,
}: {
  selection: Selection;
  date: CalendarDate;
  now: Date;
  /** Shows when this selection was published. */
  hasPublication: boolean;
}) {
  const { offAt } = selection;
  const isOver = isRun(selection, date, now);
  return (
    <>
      <span className="selection-race">
        <NumberCloth number={selection.raceNumber} size="small" isOver={isOver} />
        <RaceTime
          time={offAt && timeAt(new Date(offAt))}
          date={date}
          className={classNames("text-sm", isOver && "text-ink-3 line-through decoration-1")}
        />
      </span>
      <NumberCloth number={selection.horseNumber} kind="saddle" />
      <span className="selection-tip">
        <span className={classNames("selection-horse", isOver && "text-ink-2")}>
          <ScratchedHorse isScratched={Boolean(selection.scratchedAt)}>
            {selection.horseName}
          </ScratchedHorse>
          {hasPublication ? (
            <span className="block font-sans text-xs font-normal text-ink-2">
              Published <DateTime at={selection.publishedAt} />
            </span>
          ) : null}
          <ResultBasis
            result={selection.result}
            basis={selection}
            className="font-sans leading-4 font-normal"
          />
        </span>
        <span className="selection-facts">
          <span className="caps text-ink-2">{TIP_TYPE_LABELS[selection.tipType]}</span>
          <Confidence level={selection.confidence} />
          {selection.isLate ? (
            <Badge tone="warn" className="cursor-help">
              <span title="Published too late to count in the tipster's record">Late</span>
            </Badge>
          ) : null}
          {selection.result ? (
            <ResultBadge result={selection.result} className="@lg:min-w-18 @lg:justify-center" />
          ) : null}
        </span>
      </span>
    </>
  );
}
