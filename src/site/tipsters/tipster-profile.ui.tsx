import { Link } from "react-router";
import { dateAt, formatDate } from "#domain/calendar.ts";
import type { TipType } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import type { CreatorProfile, DayRecord, PublicTip, TipTypeRecord } from "#tips/tips.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import type { ChartPoint } from "#ui/charts/chart-frame.tsx";
import { classNames } from "#ui/class-names.ts";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { LevelBadge } from "#ui/racing/level-badge.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { StatRow } from "#ui/stat.tsx";

/** The public data of a creator. */
export type TipsterView = Omit<CreatorProfile, "id" | "suspendedAt">;

/** The header of the creator's page and dialog: name, level and record. */
export function TipsterSummary({ tipster, level }: { tipster: TipsterView; level?: 1 }) {
  const { record } = tipster;
  return (
    <div>
      <div className="flex items-start gap-4 sm:gap-6">
        <Avatar
          name={tipster.name}
          photo={tipster.profileImage}
          size={level === 1 ? "huge" : "large"}
        />
        <div className="min-w-0">
          {level === 1 ? (
            <h1 className="mb-1 font-cond text-3xl font-bold tracking-[-0.015em] sm:text-4xl">
              {tipster.name}
            </h1>
          ) : (
            <p className="mb-1 font-cond text-2xl font-bold">{tipster.name}</p>
          )}
          <p className="flex flex-wrap items-center gap-2">
            <Badge>{tipster.kind === "analyst" ? "Analyst" : "Tipster"}</Badge>
            <LevelBadge level={tipster.level} />
            {tipster.level === null ? (
              <span className="text-xs text-ink-3">
                {record.settled === 0
                  ? "No settled tips yet"
                  : `Level shown after ${MIN_SETTLED_FOR_LEVEL} settled tips`}
              </span>
            ) : null}
          </p>
          <p className="mt-1 text-sm text-ink-2">
            {tipster.specialization ? (
              <span className="font-semibold">{tipster.specialization} · </span>
            ) : null}
            on Furlong since {formatDate(dateAt(new Date(tipster.approvedAt)))}
          </p>
          {tipster.bio ? (
            <p className="mt-2 max-w-prose text-sm whitespace-pre-line">{tipster.bio}</p>
          ) : null}
        </div>
      </div>
      <StatRow
        className="mt-5 grid-cols-3!"
        stats={[
          {
            label: "win rate",
            value: tipster.winRate === null ? "–" : `${tipster.winRate.toFixed(1)}%`,
            note: record.settled === 0 ? "No settled tips yet" : undefined,
          },
          {
            label: record.settled === 1 ? "settled tip" : "settled tips",
            value: formatInteger(record.settled),
            note: `${formatInteger(record.won)} won${tipster.hasOnePersonResults && record.settled > 0 ? ", record includes results entered by one person" : ""}`,
          },
          {
            label: record.tips === 1 ? "tip published" : "tips published",
            value: formatInteger(record.tips),
          },
        ]}
      />
    </div>
  );
}

const TYPE_LABELS: Record<TipType, string> = { win: "Win", place: "Place", "each-way": "Each way" };

/** The record by tip type. */
export function RecordByType({
  byType,
  className,
}: {
  byType: readonly TipTypeRecord[];
  className?: string;
}) {
  return (
    <dl className={classNames("divide-y divide-rule", className)}>
      {byType.map((record) => (
        <div key={record.tipType} className="flex items-center gap-4 py-2">
          <dt className="w-20 shrink-0 text-sm">{TYPE_LABELS[record.tipType]}</dt>
          <dd className="flex min-w-0 flex-1 items-center justify-end gap-3">
            <span aria-hidden="true" className="h-2 min-w-0 flex-1 bg-well">
              <span
                className="block h-full bg-green-ink"
                style={{ width: `${record.winRate ?? 0}%` }}
              />
            </span>
            <WinRecord
              settledTips={record.settled}
              wonTips={record.won}
              className="min-w-24 justify-end"
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the cumulative strike rate in per cent by day. */
export function cumulativeStrikeRate(days: readonly DayRecord[]): ChartPoint[] {
  let settled = 0;
  let won = 0;
  return days.map((day) => {
    settled += day.settled;
    won += day.won;
    return { label: formatDate(day.raceDate, "short"), value: (won / settled) * 100 };
  });
}

/** Public tips with their results and times of publication. */
export function Results({
  results,
  hasDate = false,
  className,
}: {
  results: readonly PublicTip[];
  /** Shows the race date of each result. */
  hasDate?: boolean;
  className?: string;
}) {
  if (results.length === 0) {
    return (
      <EmptyState compact drawing="post" title="No results yet" className={className}>
        Results appear here the day after the first race day.
      </EmptyState>
    );
  }
  return (
    <ol className={classNames("divide-y divide-rule", className)}>
      {results.map((tip) => (
        <li key={tip.id} className="flex items-center gap-3 py-2">
          <NumberCloth number={tip.horseNumber} kind="saddle" size="small" />
          <div className="min-w-0 flex-1">
            <p className="truncate font-cond text-base leading-5 font-bold">{tip.horseName}</p>
            <p className="text-xs text-ink-2">
              <Link
                to={`/race-cards/${tip.raceCardId}`}
                className="tap text-ink-2 no-underline hover:underline"
              >
                {tip.venueName} R{tip.raceNumber}
              </Link>{" "}
              ·{" "}
              {hasDate ? (
                <>
                  <RaceDate date={tip.raceDate} /> ·{" "}
                </>
              ) : null}
              {TYPE_LABELS[tip.tipType]}
              {tip.isLate ? " · late" : ""}
            </p>
            <p className="text-xs text-ink-3">
              Published <DateTime at={tip.publishedAt} />
            </p>
          </div>
          {tip.result === null && tip.isResultOverdue ? (
            <Badge tone="warn">Unmarked</Badge>
          ) : (
            <span className="max-w-24 shrink-0 text-right sm:max-w-none">
              <ResultBadge result={tip.result} />
              <ResultBasis result={tip.result} basis={tip} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
