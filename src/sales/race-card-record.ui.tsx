import { formatDate, formatInstant } from "#domain/calendar.ts";
import { TIP_TYPE_LABELS } from "#domain/tip.ts";
import { hasEnoughSettledTips, MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import { describeForm, FormChart } from "#ui/charts/form-line.tsx";
import { RateBar } from "#ui/charts/rate-bar.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { formatStanding } from "./race-card-row.ui.tsx";
import type { RaceCardRecord } from "./read-race-card-record.server.ts";

/** The end of the axis unless the range ends above it. */
const SHORT_AXIS_PERCENT = 60;

type RaceCardRecordProps = {
  record: RaceCardRecord;
  tipster: { slug: string; name: string };
  venueName: string;
};

/** The record of a race card's tipster: strike rate, standing, last tips and last race card at the venue. */
export function RaceCardRecordSections({ record, tipster, venueName }: RaceCardRecordProps) {
  const { form, lastRaceCard } = record;
  const formName = form.length === 1 ? "Last tip" : `Last ${form.length} tips`;
  return (
    <>
      <section aria-labelledby="record">
        <SectionHeading
          id="record"
          aside={
            <TextLink to={`/tipsters/${tipster.slug}`} className="tap">
              Full record
            </TextLink>
          }
        >
          {tipster.name}
        </SectionHeading>
        <StrikeRate {...{ record, venueName }} />
      </section>
      {form.length > 0 ? (
        <section aria-labelledby="form">
          <SectionHeading id="form" aside={describeForm(form)}>
            {formName}
          </SectionHeading>
          <FormChart outcomes={form} name={formName} />
        </section>
      ) : null}
      {lastRaceCard ? <LastRaceCard raceCard={lastRaceCard} venueName={venueName} /> : null}
    </>
  );
}

function StrikeRate({ record, venueName }: Pick<RaceCardRecordProps, "record" | "venueName">) {
  const { settled, won, strikeRate, overallPercent, here, rank } = record;
  const hasRate = strikeRate !== null && hasEnoughSettledTips(record);
  return (
    <>
      {hasRate ? (
        <>
          <div className="mt-3 flex flex-wrap items-center gap-x-4">
            <p className="font-cond text-4xl font-bold">{strikeRate.percent.toFixed(1)}%</p>
            <p className="min-w-48 flex-1 text-sm text-ink-2">
              {formatInteger(won)} of {formatInteger(settled)} won. The true rate is probably{" "}
              {strikeRate.lowPercent.toFixed(0)} to {strikeRate.highPercent.toFixed(0)}%
              {overallPercent === null ? "." : `; all tipsters ${overallPercent.toFixed(1)}%.`}
            </p>
          </div>
          <RateBar
            className="mt-2 h-5 w-full"
            percent={strikeRate.percent}
            range={strikeRate}
            referencePercent={overallPercent}
            maxPercent={strikeRate.highPercent > SHORT_AXIS_PERCENT ? 100 : SHORT_AXIS_PERCENT}
          />
        </>
      ) : (
        <p className="mt-3 text-sm text-ink-2">
          {settled === 0
            ? "No official results yet."
            : `${formatInteger(won)} of ${formatInteger(settled)} won. A strike rate is shown from ${MIN_SETTLED_FOR_LEVEL} settled tips.`}
        </p>
      )}
      <dl className="mt-3 divide-y divide-rule border-y border-rule text-sm [&_dt]:min-w-0 [&_dt]:text-ink-2 [&>div]:flex [&>div]:justify-between [&>div]:gap-4 [&>div]:py-2">
        <div>
          <dt>At {venueName}</dt>
          <dd className="shrink-0">
            {here.settled === 0 ? (
              "No official results"
            ) : (
              <>
                <b className="font-semibold">{((here.won / here.settled) * 100).toFixed(0)}%</b> of{" "}
                {formatInteger(here.settled)}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Standing by record</dt>
          <dd className="shrink-0">
            {rank === null ? "Too few tips to rank" : formatStanding(record, settled)}
          </dd>
        </div>
      </dl>
    </>
  );
}

/** The selections of a past race card with their results, one per line. */
function LastRaceCard({
  raceCard: { id, raceDate, published, selections },
  venueName,
}: {
  raceCard: NonNullable<RaceCardRecord["lastRaceCard"]>;
  venueName: string;
}) {
  const [first, last] = published;
  return (
    <section aria-labelledby="last-race-card">
      <SectionHeading
        id="last-race-card"
        aside={
          <TextLink to={`/race-cards/${id}`} className="tap">
            Race card
          </TextLink>
        }
      >
        Last time at {venueName}, {formatDate(raceDate, "short")}
      </SectionHeading>
      <p className="mt-2 text-xs text-ink-2">
        Published <DateTime at={first} />
        {formatInstant(first) === formatInstant(last) ? null : (
          <>
            {" "}
            to <DateTime at={last} />
          </>
        )}
        .{selections.some(({ isClaim }) => isClaim) ? " Some results are the tipster's claim." : ""}
      </p>
      <ol className="mt-2 divide-y divide-rule border-y border-rule">
        {selections.map(({ id, raceNumber, horseNumber, horseName, tipType, result }) => (
          <li key={id} className="flex min-h-11 items-center gap-3 py-1">
            <NumberCloth number={raceNumber} size="small" />
            <NumberCloth number={horseNumber} kind="saddle" size="small" />
            <span className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-3">
              <span className="block min-w-0 flex-1 truncate font-cond text-base leading-5 font-bold">
                {horseName}
              </span>
              <span className="caps block shrink-0 text-ink-2">{TIP_TYPE_LABELS[tipType]}</span>
            </span>
            <ResultBadge result={result} />
          </li>
        ))}
      </ol>
    </section>
  );
}
