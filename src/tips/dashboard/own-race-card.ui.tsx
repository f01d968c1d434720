import { timeAt } from "#domain/calendar.ts";
import { SPOKEN_TIP_TYPES } from "#domain/tip.ts";
import { Badge } from "#ui/badge.tsx";
import { Confidence } from "#ui/racing/confidence.tsx";
import { NumberCloth } from "#ui/racing/number-cloth.tsx";
import { DateTime, RaceDate, RaceTime } from "#ui/racing/race-time.tsx";
import { ResultBadge } from "#ui/racing/result-badge.tsx";
import { ResultBasis } from "#ui/racing/result-basis.tsx";
import { ScratchedHorse } from "#ui/racing/scratched-horse.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { OwnTip } from "../own-tips.server.ts";
import { ResultForm } from "./result-form.ui.tsx";

type RaceCardTips = Pick<OwnTip, "raceCardId" | "venueName" | "raceDate"> & { tips: OwnTip[] };

/** Groups tips by race card. The tips must be sorted by day, meeting and race. */
export function groupTipsByRaceCard(tips: readonly OwnTip[]): RaceCardTips[] {
  const raceCards: RaceCardTips[] = [];
  for (const tip of tips) {
    const { raceCardId, venueName, raceDate } = tip;
    const last = raceCards.at(-1);
    if (last?.raceCardId === raceCardId) last.tips.push(tip);
    else raceCards.push({ raceCardId, venueName, raceDate, tips: [tip] });
  }
  return raceCards;
}

// A table with columns on wide screens, two lines per race on a phone.
const ROW_CLASSES =
  "grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 border-b border-rule py-2.5 @4xl:table-row @4xl:py-0";
const CELL_CLASSES = "text-left @4xl:border-b @4xl:border-rule @4xl:py-2.5 @4xl:pr-4";
const HEADINGS = [
  { name: "Race", width: "w-28" },
  { name: "Selection", width: "" },
  { name: "Confidence", width: "w-32" },
  { name: "Published", width: "w-56" },
  { name: "Status", width: "w-24" },
  { name: "Result", width: "w-48 text-right" },
];

/** A race card of the creator, with its tips in a table. */
export function OwnRaceCard({ card }: { card: RaceCardTips }) {
  return (
    <section aria-label={`${card.venueName}, ${card.raceDate}`} className="@container">
      <SectionHeading
        aside={
          <TextLink to={`/race-cards/${card.raceCardId}`} standalone>
            View as a punter
          </TextLink>
        }
      >
        {card.venueName}, <RaceDate date={card.raceDate} />
      </SectionHeading>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: the role is lost with display: block */}
      <table role="table" className="mt-1 block w-full @4xl:table @4xl:table-fixed">
        <caption className="sr-only">
          Tips at {card.venueName}, {card.raceDate}
        </caption>
        <thead role="rowgroup" className="sr-only @4xl:not-sr-only @4xl:table-header-group">
          <tr role="row">
            {HEADINGS.map(({ name, width }) => (
              <th
                key={name}
                scope="col"
                role="columnheader"
                className={`caps border-b border-ink py-1.5 text-left text-ink-2 ${width}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block @4xl:table-row-group">
          {card.tips.map((tip) => (
            <Race key={tip.id} tip={tip} />
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: the role is lost with display: block */}
    </section>
  );
}

function Race({ tip }: { tip: OwnTip }) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the role is lost with display: grid
    <tr role="row" className={ROW_CLASSES}>
      <th
        scope="row"
        role="rowheader"
        className={`${CELL_CLASSES} row-span-2 self-start font-normal`}
      >
        <span className="flex flex-col items-center gap-1 @4xl:flex-row @4xl:gap-3">
          <NumberCloth number={tip.raceNumber} isOver={tip.canSettle || tip.result !== null} />
          <RaceTime
            time={tip.offAt ? timeAt(tip.offAt) : null}
            date={tip.raceDate}
            className="text-sm @4xl:text-base"
          />
        </span>
      </th>
      <td role="cell" className={`${CELL_CLASSES} col-span-2`}>
        <span className="flex min-w-0 items-center gap-2.5">
          <NumberCloth number={tip.horseNumber} kind="saddle" size="small" />
          <span className="min-w-0">
            <span className="block leading-5 font-semibold">
              <ScratchedHorse isScratched={tip.scratchedAt !== null}>
                {tip.horseName}
              </ScratchedHorse>
            </span>
            <span className="block text-xs text-ink-2">{SPOKEN_TIP_TYPES[tip.tipType]}</span>
          </span>
        </span>
      </td>
      <td role="cell" className={`${CELL_CLASSES} order-4 @4xl:order-none`}>
        <Confidence level={tip.confidence} />
      </td>
      <td
        role="cell"
        className={`${CELL_CLASSES} order-6 text-xs text-ink-2 @4xl:order-none @4xl:text-sm`}
      >
        <DateTime at={tip.publishedAt} style="short" />
        {tip.isLate ? (
          <Badge tone="warn" className="ml-2">
            Late
          </Badge>
        ) : null}
      </td>
      <td role="cell" className={`${CELL_CLASSES} order-5 @4xl:order-none`}>
        {tip.isHidden ? <Badge>Inactive</Badge> : <Badge tone="green">Active</Badge>}
      </td>
      <td role="cell" className={`${CELL_CLASSES} justify-self-end @4xl:pr-0! @4xl:text-right`}>
        <Result tip={tip} />
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: the role is lost with display: grid
  );
}

function Result({ tip }: { tip: OwnTip }) {
  if (tip.canSettle)
    return (
      <span className="inline-flex flex-col items-end gap-1 @4xl:flex-row @4xl:items-center @4xl:gap-3">
        {tip.isResultOverdue ? <Badge tone="warn">Unmarked</Badge> : null}
        <ResultForm tipId={tip.id} raceNumber={tip.raceNumber} horseName={tip.horseName} />
      </span>
    );
  if (tip.result)
    return (
      <span tabIndex={-1} data-result={tip.id} className="rounded-sm">
        <ResultBadge result={tip.result} />
        <ResultBasis result={tip.result} basis={tip} />
      </span>
    );
  return (
    <span className="text-xs text-ink-3">
      {tip.offAt ? "Opens after the off" : "Opens at 18:00"}
    </span>
  );
}
