import type { ReactNode } from "react";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { computeWinRate } from "#domain/track-record.ts";
import { formatInteger } from "#ui/format-integer.ts";
import { RandAmount } from "#ui/rand-amount.tsx";
import { TextLink } from "#ui/text-link.tsx";
import type { OwnRecord } from "./own-record.server.ts";

/** Returns the wins and the strike rate, such as '4 of 9 won, 44%'. */
export function describeWins({ won, settled }: OwnRecord): string {
  if (settled === 0) return "No official results";
  return `${formatInteger(won)} of ${formatInteger(settled)} won, ${Math.round(computeWinRate({ won, settled }) ?? 0)}%`;
}

/** Returns the race cards and what they cost, such as '2 cards, 8 coins (R80)'. */
export function describeCost({ raceCards, coins, cents }: OwnRecord): string {
  return `${formatInteger(raceCards)} ${raceCards === 1 ? "card" : "cards"}, ${formatCoins(coins)} (${formatRand(cents)})`;
}

/** Returns what the same stake on each tip returned, such as 'R20 returned R57.00', or null without official results. */
export function describeBets({ staked }: OwnRecord): ReactNode {
  const unpriced = staked.unpriced > 0 ? `${formatInteger(staked.unpriced)} without a price` : null;
  if (staked.tips === 0) return unpriced;
  return (
    <>
      {formatRand(staked.cents)} returned{" "}
      <RandAmount amountCents={staked.returnedCents} areCentsShown />
      {unpriced ? `, ${unpriced}` : null}
    </>
  );
}

/** The viewer's record of the last days in one line, which leads to all of it. */
export function OwnRecordSummary({
  record,
  days,
}: {
  /** Null if no race card of these days was opened. */
  record: OwnRecord | null;
  days: number;
}) {
  const bets = record ? describeBets(record) : null;
  return (
    <p className="mt-2 text-sm text-ink-2">
      {record ? (
        <>
          Last {days} days: <b className="text-ink">{describeWins(record)}</b>.{" "}
          {describeCost(record)}.{bets ? <> Bets: {bets}.</> : null}{" "}
        </>
      ) : null}
      <TextLink to="/my-cards/record" standalone>
        How I did, by race day and month
      </TextLink>
    </p>
  );
}
