import type { ReactNode } from "react";
import { formatDate, formatInstant } from "#domain/calendar.ts";
import { formatRand } from "#domain/coins.ts";
import { FORM_LENGTH } from "#domain/figures/figures.ts";
import { MIN_TIPS_FOR_YIELD_RANGE } from "#domain/figures/returns.ts";
import { BETTING_TAX_PERCENT, TIP_STAKE_CENTS } from "#domain/settlement.ts";
import { hasEnoughSettledTips, MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import { describeForm, FormChart } from "#ui/charts/form-line.tsx";
import { ProfitChart } from "#ui/charts/profit-chart.tsx";
import { RateBar } from "#ui/charts/rate-bar.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { describeChance, formatProfit, formatYield } from "./format-profit.ts";
import type { RecordSlice, RecordView } from "./record-view.ts";
import { type TipsParam, tipsPath } from "./tips-path.ts";

type RecordProps = { slug: string; record: RecordView };

/** The end of an axis of strike rates that are not above it. */
const SHORT_AXIS_PERCENT = 60;

const countTips = (count: number) => `${formatInteger(count)} ${count === 1 ? "tip" : "tips"}`;

/** A link to the tips that a figure is computed from. */
function TipsLink({
  slug,
  params,
  children,
}: {
  slug: string;
  params: Partial<Record<TipsParam, string>>;
  children: ReactNode;
}) {
  return (
    <TextLink to={tipsPath(slug, params)} className="tap">
      {children}
    </TextLink>
  );
}

/** The strike rate with its range, compared with all tipsters. */
export function StrikeRateSection({ slug, record }: RecordProps) {
  const { settled, won, strikeRate, overallPercent } = record;
  const link = (
    <TipsLink slug={slug} params={{ tips: "counted" }}>
      {formatInteger(won)} of {formatInteger(settled)} won
    </TipsLink>
  );
  if (!strikeRate || !hasEnoughSettledTips(record)) {
    return (
      <section aria-labelledby="strike-rate">
        <SectionHeading id="strike-rate">Too few tips to say</SectionHeading>
        <p className="mt-3">{link}</p>
        <p className="mt-1 max-w-prose text-sm text-ink-2">
          A strike rate is shown from {MIN_SETTLED_FOR_LEVEL} settled tips. Good or bad, a shorter
          record could still be luck.
        </p>
      </section>
    );
  }
  const maxPercent = strikeRate.highPercent > SHORT_AXIS_PERCENT ? 100 : SHORT_AXIS_PERCENT;
  return (
    <section aria-labelledby="strike-rate">
      <SectionHeading id="strike-rate">Strike rate</SectionHeading>
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1">
        <p className="font-cond text-4xl font-bold">{strikeRate.percent.toFixed(1)}%</p>
        <div className="min-w-48 flex-1 text-sm text-ink-2">
          <p>{link}</p>
          <p>
            The true rate is probably {strikeRate.lowPercent.toFixed(0)} to{" "}
            {strikeRate.highPercent.toFixed(0)}%.
          </p>
          {overallPercent === null ? null : <p>All tipsters: {overallPercent.toFixed(1)}%</p>}
        </div>
      </div>
      <RateBar
        className="mt-3 h-6 w-full"
        percent={strikeRate.percent}
        range={strikeRate}
        referencePercent={overallPercent}
        maxPercent={maxPercent}
      />
      <p
        aria-hidden="true"
        className="mt-1 flex justify-between gap-4 font-cond text-xs text-ink-2"
      >
        <span>0</span>
        <span className="font-sans">Dashed: all tipsters</span>
        <span>{maxPercent}%</span>
      </p>
    </section>
  );
}

/** The profit of level stakes: before and after tax, and after the price of the race cards. */
export function ProfitSection({ slug, record }: RecordProps) {
  const { startingPrice, cards, profitAfterCardsCents } = record;
  const stake = formatRand(TIP_STAKE_CENTS);
  if (startingPrice.tips < MIN_TIPS_FOR_YIELD_RANGE) {
    return (
      <section aria-labelledby="profit">
        <SectionHeading id="profit">Profit at the starting price</SectionHeading>
        <p className="mt-3 max-w-prose text-sm text-ink-2">
          Too few tips to say. A profit or loss is shown from {MIN_TIPS_FOR_YIELD_RANGE} tips to win
          with a known starting price. There {startingPrice.tips === 1 ? "is " : "are "}
          <TipsLink slug={slug} params={{ tips: "starting-price" }}>
            {formatInteger(startingPrice.tips)}
          </TipsLink>{" "}
          so far.
        </p>
      </section>
    );
  }
  const link = (
    <TipsLink slug={slug} params={{ tips: "starting-price" }}>
      {countTips(startingPrice.tips)}
    </TipsLink>
  );
  const { yieldRange, yieldPercent, yieldAfterTaxPercent } = startingPrice;
  return (
    <section aria-labelledby="profit">
      <SectionHeading
        id="profit"
        lead={`What ${stake} on each tip to win would have made at the starting price. An each-way tip counts with its win half.`}
      >
        Profit at the starting price
      </SectionHeading>
      <StatRow
        className="mt-3 max-sm:[&>div]:basis-full"
        stats={[
          {
            label: "before tax",
            value: formatProfit(startingPrice.profitCents),
            note: (
              <>
                {yieldPercent === null ? "" : `${formatYield(yieldPercent)} of stakes, `}
                {link}
              </>
            ),
          },
          {
            label: `after ${BETTING_TAX_PERCENT}% tax on winnings`,
            value: formatProfit(startingPrice.profitAfterTaxCents),
            note: (
              <>
                {yieldAfterTaxPercent === null
                  ? ""
                  : `${formatYield(yieldAfterTaxPercent)} of stakes, `}
                {link}
              </>
            ),
          },
          {
            label: `after tax and ${formatInteger(cards)} race ${cards === 1 ? "card" : "cards"}`,
            value: formatProfit(profitAfterCardsCents),
            note: link,
          },
        ]}
      />
      <p className="mt-2 max-w-prose text-sm text-ink-2">
        {yieldRange
          ? `Before tax, the true yield is probably ${formatYield(yieldRange.lowPercent)} to ${formatYield(yieldRange.highPercent)} of stakes. `
          : ""}
        {startingPrice.unpriced > 0
          ? `${countTips(startingPrice.unpriced)} without a known starting price left out. `
          : ""}
        Past results do not predict the next ones.
      </p>
    </section>
  );
}

/** How likely the wins are by luck alone. */
export function LuckSection({ slug, record }: RecordProps) {
  const { luck, recordedCreators } = record;
  if (!luck || luck.tips < MIN_SETTLED_FOR_LEVEL) return null;
  return (
    <section aria-labelledby="luck">
      <SectionHeading id="luck">Could it be luck?</SectionHeading>
      <p className="mt-3 max-w-prose text-sm">
        By their starting prices, {luck.expectedWins.toFixed(1)} of these horses should have won.{" "}
        {formatInteger(luck.won)} of{" "}
        <TipsLink slug={slug} params={{ tips: "all-prices" }}>
          {countTips(luck.tips)}
        </TipsLink>{" "}
        did. {formatInteger(recordedCreators)}{" "}
        {recordedCreators === 1 ? "tipster is" : "tipsters are"} recorded; by luck alone{" "}
        {describeChance(luck.chance)} would look this good.
      </p>
    </section>
  );
}

/** The running profit with its falls, and the favourites of the same races. */
export function ProfitChartSection({ slug, record }: RecordProps) {
  const { points, startingPrice, worstDrawdown } = record;
  if (startingPrice.tips < MIN_TIPS_FOR_YIELD_RANGE || points.length < 2) return null;
  const stake = formatRand(TIP_STAKE_CENTS);
  const last = points.at(-1);
  return (
    <section aria-labelledby="running-profit">
      <SectionHeading
        id="running-profit"
        lead={`${stake} on each tip to win at the starting price, before tax and without the price of the race cards.`}
        aside={
          <TipsLink slug={slug} params={{ tips: "starting-price" }}>
            {countTips(startingPrice.tips)}
          </TipsLink>
        }
      >
        Running profit
      </SectionHeading>
      <ProfitChart
        className="mt-3"
        title="Running profit at the starting price"
        description={`After ${countTips(startingPrice.tips)}: ${formatProfit(last?.profit ?? 0)}. The favourites of the same races: ${formatProfit(last?.comparison ?? 0)}. The deepest fall was ${formatRand(Math.round(worstDrawdown.cents / 100) * 100)}.`}
        comparisonLabel="Favourites"
        points={points}
        formatValue={formatProfit}
      />
    </section>
  );
}

/** The strike rate of each part of a record. Renders nothing unless one part has enough tips. */
export function SlicesSection({
  slug,
  id,
  heading,
  lead,
  param,
  slices,
}: {
  slug: string;
  id: string;
  heading: string;
  lead?: string;
  param: "venue" | "type" | "confidence";
  slices: readonly RecordSlice[];
}) {
  const shown = slices.filter(hasEnoughSettledTips);
  if (shown.length === 0) return null;
  const maxPercent = shown.some((slice) => slice.strikeRate.highPercent > SHORT_AXIS_PERCENT)
    ? 100
    : SHORT_AXIS_PERCENT;
  return (
    <section aria-labelledby={id}>
      <SectionHeading id={id} lead={lead}>
        {heading}
      </SectionHeading>
      <dl className="mt-1 divide-y divide-rule">
        {slices.map((slice) => {
          const { key, name, settled, won, strikeRate } = slice;
          return (
            <div key={key} className="flex min-h-11 items-center gap-3 py-1 sm:gap-4">
              <dt className="w-20 shrink-0 text-sm wrap-anywhere sm:w-32">{name}</dt>
              <dd className="flex min-w-0 flex-1 items-center gap-3 sm:gap-4">
                {hasEnoughSettledTips(slice) ? (
                  <>
                    <RateBar
                      className="h-3.5 w-0 min-w-0 flex-1"
                      percent={strikeRate.percent}
                      range={strikeRate}
                      maxPercent={maxPercent}
                    />
                    <b className="w-12 shrink-0 text-right font-cond text-[1.0625rem] font-bold">
                      {strikeRate.percent.toFixed(1)}%
                    </b>
                  </>
                ) : (
                  <span className="min-w-0 flex-1 text-right text-sm text-ink-2">
                    too few to say
                  </span>
                )}
                <span className="min-w-16 shrink-0 text-right text-sm">
                  <TipsLink slug={slug} params={{ tips: "counted", [param]: key }}>
                    {formatInteger(won)} of {formatInteger(settled)}
                    <span className="sr-only"> won, {name}</span>
                  </TipsLink>
                </span>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** The last tips as bars, oldest first. */
export function FormSection({ slug, record }: RecordProps) {
  const { form } = record;
  if (form.length === 0) return null;
  const name =
    form.length < FORM_LENGTH ? `All ${countTips(form.length)}` : `Last ${form.length} tips`;
  return (
    <section aria-labelledby="form">
      <SectionHeading
        id="form"
        aside={
          <TipsLink slug={slug} params={{ tips: "counted" }}>
            {describeForm(form)}
          </TipsLink>
        }
      >
        {name}
      </SectionHeading>
      <FormChart outcomes={form} name={name} />
    </section>
  );
}

/** The bad times of a record, and the favourites of the same races. */
export function BadRunsSection({ slug, record }: RecordProps) {
  const { longestLosingRun, worstDrawdown, againstFavourite, startingPrice } = record;
  if (!hasEnoughSettledTips(record)) return null;
  const hasMoney = startingPrice.tips >= MIN_TIPS_FOR_YIELD_RANGE;
  const { from, until } = worstDrawdown;
  return (
    <section aria-labelledby="bad-runs">
      <SectionHeading id="bad-runs">When it goes badly</SectionHeading>
      <dl className="mt-1 divide-y divide-rule text-sm [&_dd]:min-w-0 [&_dt]:text-ink-2 [&>div]:flex [&>div]:flex-wrap [&>div]:items-baseline [&>div]:justify-between [&>div]:gap-x-4 [&>div]:py-2.5">
        <div>
          <dt>Longest run without a winner</dt>
          <dd>
            <b className="font-semibold">{countTips(longestLosingRun)}</b> of{" "}
            <TipsLink slug={slug} params={{ tips: "counted" }}>
              {formatInteger(record.settled)}
            </TipsLink>
          </dd>
        </div>
        {hasMoney ? (
          <div>
            <dt>Deepest fall of the running profit</dt>
            <dd>
              <b className="font-semibold">
                {formatRand(Math.round(worstDrawdown.cents / 100) * 100)}
              </b>
              {until ? (
                <>
                  , {from ? `${formatDate(from)} to ` : "from the start to "}
                  <TipsLink slug={slug} params={{ tips: "starting-price", until }}>
                    {formatDate(until)}
                  </TipsLink>
                </>
              ) : null}
            </dd>
          </div>
        ) : null}
        {againstFavourite.tips >= MIN_TIPS_FOR_YIELD_RANGE ? (
          <div>
            <dt>Against the favourites of the same races</dt>
            <dd>
              <b className="font-semibold">{formatProfit(againstFavourite.profitCents)}</b> against{" "}
              {formatProfit(againstFavourite.favouriteProfitCents)},{" "}
              <TipsLink slug={slug} params={{ tips: "all-prices" }}>
                {countTips(againstFavourite.tips)}
              </TipsLink>
            </dd>
          </div>
        ) : null}
      </dl>
    </section>
  );
}

/** When the figures were computed, and where to get the data behind them. */
export function DataSection({
  slug,
  computedAt,
  isMarked,
}: {
  slug: string;
  computedAt: Date | null;
  /** The record includes results that one admin entered alone. */
  isMarked: boolean;
}) {
  return (
    <p className="max-w-prose text-sm text-ink-2">
      Download the record as{" "}
      <a href={`/records/${slug}.csv`} className="link tap" download>
        CSV
      </a>{" "}
      or{" "}
      <a href={`/records/${slug}.json`} className="link tap" download>
        JSON
      </a>{" "}
      and compute every figure again.
      {computedAt
        ? ` Computed from official results, ${formatInstant(computedAt)}. Void and late tips are not counted.`
        : ""}
      {isMarked ? " This record includes results entered by one person." : ""}
    </p>
  );
}
