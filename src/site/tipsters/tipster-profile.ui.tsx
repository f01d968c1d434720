import { Link } from "react-router";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import type { TipType } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import type { CreatorProfile, TipTypeRecord } from "#records/records.server.ts";
import type { PublicTip, PublishedCounts, TipWithBets } from "#tips/tips.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { ShareBar } from "#ui/charts/rate-bar.tsx";
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
export type TipsterView = Omit<CreatorProfile, "id">;

/** The name of a tipster with silk, level and bio. `facts` is a sentence about their race cards. */
export function TipsterHead({
  tipster,
  level,
  facts,
}: {
  tipster: TipsterView;
  level?: 1;
  facts?: string;
}) {
  const { record } = tipster;
  return (
    <div>
      <div className="flex items-start gap-4">
        <Avatar name={tipster.name} photo={tipster.photo} size="large" />
        <div className="min-w-0">
          {level === 1 ? (
            <h1 className="font-cond text-2xl font-bold tracking-[-0.015em] sm:text-4xl">
              {tipster.name}
            </h1>
          ) : (
            <p className="font-cond text-2xl font-bold">{tipster.name}</p>
          )}
          <p className="mt-1 flex flex-wrap items-center gap-2">
            <Badge>{tipster.kind === "analyst" ? "Analyst" : "Tipster"}</Badge>
            {tipster.suspendedAt ? <Badge tone="danger">Suspended</Badge> : null}
            <LevelBadge level={tipster.level} />
            {tipster.level === null ? (
              <span className="text-xs text-ink-3">
                {record.settled === 0
                  ? "No settled tips yet"
                  : `Level shown after ${MIN_SETTLED_FOR_LEVEL} settled tips`}
              </span>
            ) : null}
          </p>
        </div>
      </div>
      {tipster.suspendedAt ? (
        <p className="mt-3 text-sm">
          Suspended since {formatDate(dateAt(new Date(tipster.suspendedAt)))}. The record stays
          public; nothing is on sale.
        </p>
      ) : null}
      {facts ? <p className="mt-3 text-sm">{facts}</p> : null}
      <p className={classNames("text-sm text-ink-2", facts ? "mt-1" : "mt-3")}>
        {tipster.specialization ? (
          <span className="font-semibold">{tipster.specialization} · </span>
        ) : null}
        on Furlong since {formatDate(dateAt(new Date(tipster.approvedAt)))}
      </p>
      {tipster.bio ? (
        <p className="mt-2 max-w-prose text-sm whitespace-pre-line">{tipster.bio}</p>
      ) : null}
    </div>
  );
}

const DAY_MS = 86_400_000;

/** Returns a sentence of facts: '62 days here, 34 race cards, none late, none removed.' */
export function describeFacts({
  approvedAt,
  readAt,
  published: { raceCards, removedTips, lateTips },
  hasOfficialResults,
}: {
  approvedAt: Date;
  readAt: Date;
  published: PublishedCounts;
  /** False before the first official settlement, when the off of no race is known for certain. */
  hasOfficialResults: boolean;
}): string {
  const days = Math.max(1, Math.ceil((readAt.getTime() - approvedAt.getTime()) / DAY_MS));
  const countOrNone = (count: number, what: string) =>
    count === 0
      ? `none ${what}`
      : `${formatInteger(count)} ${count === 1 ? "tip" : "tips"} ${what}`;
  return `${[
    `${formatInteger(days)} ${days === 1 ? "day" : "days"} here`,
    `${formatInteger(raceCards)} ${raceCards === 1 ? "race card" : "race cards"}`,
    ...(hasOfficialResults || lateTips > 0 ? [countOrNone(lateTips, "late")] : []),
    ...(raceCards === 0 ? [] : [countOrNone(removedTips, "removed")]),
  ].join(", ")}.`;
}

/** The record of a tipster in three figures. */
export function TipsterStats({ tipster, className }: { tipster: TipsterView; className?: string }) {
  const { record } = tipster;
  return (
    <StatRow
      className={classNames("grid-cols-3!", className)}
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
            <ShareBar percent={record.winRate ?? 0} className="h-2 w-0 min-w-0 flex-1" />
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

/** What the list shows of a public tip. */
type ListedResult = Omit<
  PublicTip,
  "creatorSlug" | "creatorName" | "venueSlug" | "offAt" | "isHidden"
> &
  Partial<Pick<TipWithBets, "bets">>;

/** Public tips with their results and times of publication. */
export function Results({
  results,
  entryNumbers,
  hasDate = false,
  className,
}: {
  results: readonly ListedResult[];
  /** The numbers of the tips in the public log, by tip id. */
  entryNumbers?: Readonly<Record<string, number>>;
  /** Shows the race date of each result. */
  hasDate?: boolean;
  className?: string;
}) {
  if (results.length === 0) {
    return (
      <EmptyState compact drawing="post" title="No public tips yet" className={className}>
        Tips appear here with the official result of their race, at midnight at the latest.
      </EmptyState>
    );
  }
  return (
    <ol className={classNames("divide-y divide-rule", className)}>
      {results.map((tip) => {
        const entryNumber = entryNumbers?.[tip.id];
        return (
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
                {tip.isLate ? " · late, not counted" : ""}
                {tip.bets ? formatReturn(tip.bets) : ""}
              </p>
              <p className="text-xs text-ink-3">
                Published <DateTime at={tip.publishedAt} />
                {entryNumber === undefined ? "" : ` · log #${formatInteger(entryNumber)}`}
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
        );
      })}
    </ol>
  );
}

/** Returns what a settled tip returned: ' · R10 to win returned R45'. Empty for a void tip. */
function formatReturn({ win, place }: NonNullable<TipWithBets["bets"]>): string {
  const formatBet = (stakeCents: number, returnCents: number | null, what: string) =>
    returnCents === null
      ? ` · ${what} price not known`
      : ` · ${formatRand(stakeCents)} ${what === "win" ? "to win" : "for a place"} returned ${formatRand(returnCents)}`;
  return [
    win ? formatBet(win.stakeCents, win.startingPriceReturnCents, "win") : "",
    place ? formatBet(place.stakeCents, place.toteReturnCents, "place") : "",
  ].join("");
}
