import { formatRand } from "#domain/coins.ts";
import type { LevelStakeResult } from "#domain/figures/level-stakes.ts";
import { MIN_TIPS_FOR_YIELD_RANGE } from "#domain/figures/returns.ts";
import { BETTING_TAX_PERCENT } from "#domain/settlement.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { Panel } from "#ui/panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { formatProfit } from "./format-profit.ts";
import { tipsPath } from "./tips-path.ts";

/** The days that the calculator looks back. */
export const CALCULATOR_DAYS = 90;
/** The stakes of the calculator in cents. The first one is explained in a sentence. */
export const CALCULATOR_STAKES = [2000, 1000, 5000] as const;

/** What level stakes on a tipster's tips at one track made in the last 90 days. */
export type VenueStakes = {
  venueSlug: string;
  venueName: string;
  /** One for each stake. */
  results: LevelStakeResult[];
};

/** What level stakes would have made at the track of a race card on sale. Promises nothing. */
export function LevelStakes({
  slug,
  stakes: { venueSlug, venueName, results },
}: {
  slug: string;
  stakes: VenueStakes;
}) {
  const [first] = results;
  if (!first) return null;
  const cards = `${formatInteger(first.cards)} ${first.cards === 1 ? "race card" : "race cards"}`;
  const tips = (
    <TextLink to={tipsPath(slug, { venue: venueSlug, tips: "counted" })} className="tap">
      {formatInteger(first.tips)} {first.tips === 1 ? "tip" : "tips"}
    </TextLink>
  );
  return (
    <Panel title={`${venueName}, last ${CALCULATOR_DAYS} days`} level={3} tone="well">
      <div className="grid gap-2 text-sm">
        {first.range ? (
          <>
            <p>
              {formatRand(first.stakeCents)} on each of {tips} would have{" "}
              {first.profitCents < 0 ? "lost" : "made"}{" "}
              <b className="font-semibold">
                {formatRand(Math.round(Math.abs(first.profitCents) / 100) * 100)}
              </b>{" "}
              after {BETTING_TAX_PERCENT}% tax on winnings and {formatRand(first.cardsCostCents)}{" "}
              for {cards}. Chance alone can move that from {formatProfit(first.range.lowCents)} to{" "}
              {formatProfit(first.range.highCents)}.
            </p>
            <StakeTable results={results} />
          </>
        ) : (
          <p>
            Too few tips to say what a stake on each would have made: {tips} on {cards}, of at least{" "}
            {MIN_TIPS_FOR_YIELD_RANGE}. The race cards cost {formatRand(first.cardsCostCents)}.
          </p>
        )}
        <p className="text-xs text-ink-2">
          {first.range ? "To win at the starting price, to be placed at the tote. " : ""}
          {first.unpriced > 0
            ? `${formatInteger(first.unpriced)} without a known price or dividend left out. `
            : ""}
          Past results do not predict the next ones. Gambling can be addictive. 18+ only.
        </p>
      </div>
    </Panel>
  );
}

function StakeTable({ results }: { results: readonly LevelStakeResult[] }) {
  return (
    <table className="w-full text-right [&_td]:py-1 [&_td]:font-cond [&_td]:font-semibold [&_th]:py-1 [&_th]:font-normal [&_th]:text-ink-2 [&_tr]:border-b [&_tr]:border-rule [&_tr>:first-child]:text-left">
      <caption className="sr-only">The same tips at other stakes</caption>
      <thead className="text-xs">
        <tr>
          <th scope="col">Stake</th>
          <th scope="col">Would have made</th>
          <th scope="col">Range</th>
        </tr>
      </thead>
      <tbody>
        {[...results]
          .sort((a, b) => a.stakeCents - b.stakeCents)
          .map(({ stakeCents, profitCents, range }) => (
            <tr key={stakeCents}>
              <th scope="row">{formatRand(stakeCents)}</th>
              <td>{formatProfit(profitCents)}</td>
              <td>
                {range ? `${formatProfit(range.lowCents)} to ${formatProfit(range.highCents)}` : ""}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
