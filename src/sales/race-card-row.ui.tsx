import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatCardPrice } from "#domain/coin-packs.ts";
import type { LockedTip } from "#domain/tip.ts";
import { Avatar } from "#ui/avatar.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { formatOrdinal } from "#ui/format-ordinal.ts";
import { usePrices } from "#ui/prices.ts";
import { LastResults } from "#ui/racing/last-results.tsx";
import { RaceSquares } from "#ui/racing/race-squares.tsx";
import { formatScratched } from "./format-scratched.ts";
import type { UnlockResponse } from "./request-unlock.ts";
import { UnlockButton } from "./unlock-button.ui.tsx";

type Tally = { settled: number; won: number };

/** What a row says about the tipster apart from the whole record. */
export type TipsterFigures = {
  /** Null when too few tips are settled for a rank. */
  rank: number | null;
  /** The number of tipsters with a rank. */
  rankedCount: number;
  last30Days: Tally;
  /** The record at the race card's venue. */
  here: Tally;
  /** W or L for each of the newest settled tips, oldest first. */
  lastResults: string;
};

/** The public details of a race card that a row shows. */
export type RowRaceCard = {
  id: string;
  creator: {
    name: string;
    photo: string | null;
    record: Tally;
    hasOnePersonResults: boolean;
  };
  races: readonly Omit<LockedTip, "tipType">[];
  /** The selections that are not sold, because their horses are scratched. */
  scratchedRaces?: number;
};

type RaceCardRowProps = {
  raceCard: RowRaceCard;
  figures?: TipsterFigures | null;
  now: Date;
  isOpened: boolean;
  /** The viewer is its creator. */
  isOwn: boolean;
  /** The idempotency key for unlocking; null for a guest. */
  idempotencyKey: string | null;
  onResponse: (response: UnlockResponse, raceCard: RowRaceCard) => void;
  /** The heading level of the title. */
  level: 3 | 4;
  /** Replaces the tipster's name, in a list of one tipster's race cards. */
  title?: string;
  /** The venue and time, in a list of several venues. */
  note?: ReactNode;
};

/**
 * A race card in a list: the tipster's record, the races and the button that opens it. The row links to
 * the race card's page.
 */
export function RaceCardRow({
  raceCard,
  figures = null,
  now,
  isOpened,
  isOwn,
  idempotencyKey,
  onResponse,
  level,
  title,
  note,
}: RaceCardRowProps) {
  const price = formatCardPrice(usePrices()).replaceAll(" ", "\u00a0");
  const Heading = `h${level}` as const;
  const { id, creator, races, scratchedRaces = 0 } = raceCard;
  const titleId = `card-${id}`;
  return (
    <article aria-labelledby={titleId} className="card-row">
      {title ? null : <Avatar name={creator.name} photo={creator.photo} size="row" />}
      <div className="row-line">
        <Heading id={titleId} className="row-name">
          <Link to={`/race-cards/${id}`} className="cover-link" discover="none">
            {title ?? creator.name}
          </Link>
        </Heading>
        {title ? null : <Record creator={creator} />}
      </div>
      {figures || note || scratchedRaces > 0 ? (
        <div className="row-line row-figures">
          {figures?.lastResults ? <LastResults results={figures.lastResults} /> : null}
          <p className="row-sub">
            {note ? <span className="row-note">{note}</span> : null}
            {scratchedRaces > 0 ? (
              <span className="row-note">{formatScratched(scratchedRaces)}</span>
            ) : null}
            {figures ? formatStanding(figures, creator.record.settled) : null}
          </p>
          {figures ? <Rates {...figures} /> : null}
        </div>
      ) : null}
      <RaceSquares
        races={races.map(({ raceNumber, confidence, offAt }) => ({
          raceNumber,
          confidence,
          isOver: offAt !== null && offAt <= now,
        }))}
      />
      {isOpened ? (
        <b className="text-green-ink">Opened</b>
      ) : isOwn ? (
        <b>Your card</b>
      ) : (
        <UnlockButton
          {...{ raceCard, now, idempotencyKey, onResponse }}
          size="row"
          label={`Open race card for ${price}`}
        >
          {price}
        </UnlockButton>
      )}
    </article>
  );
}

function Record({ creator: { record, hasOnePersonResults } }: { creator: RowRaceCard["creator"] }) {
  if (record.settled === 0) return <p className="row-rate">No settled tips yet</p>;
  return (
    <p className="row-rate">
      <b>{formatRate(record, 1)}</b>
      {` of ${formatInteger(record.settled)}`}
      {hasOnePersonResults ? (
        <>
          <span aria-hidden="true">*</span>
          <span className="sr-only">, record includes results entered by one person</span>
        </>
      ) : null}
    </p>
  );
}

/**
 * The win rate of the last 30 days and at the race card's venue. On a phone, where there is no tooltip, the style sheet
 * shows the number of settled tips behind each rate.
 */
function Rates({ last30Days, here }: TipsterFigures) {
  return (
    <p className="row-rates">
      <span
        title={describeTally(last30Days, "in the last 30 days")}
        data-n={last30Days.settled || undefined}
      >
        30 days <b>{formatRate(last30Days)}</b>
      </span>
      <span title={describeTally(here, "at this track")} data-n={here.settled || undefined}>
        here <b>{formatRate(here)}</b>
      </span>
    </p>
  );
}

/** Returns a win rate in per cent, a dash without settled tips. */
function formatRate({ settled, won }: Tally, decimals = 0): string {
  return settled === 0 ? "–" : `${((won / settled) * 100).toFixed(decimals)}%`;
}

function describeTally({ settled, won }: Tally, where: string): string {
  return settled === 0
    ? `No settled tips ${where}`
    : `${formatInteger(won)} of ${formatInteger(settled)} won ${where}`;
}

/** Returns the rank among all ranked tipsters, or the number of tips of a tipster without one. */
export function formatStanding(
  { rank, rankedCount }: Pick<TipsterFigures, "rank" | "rankedCount">,
  settled: number,
): string {
  if (rank !== null) return `${formatOrdinal(rank)} of ${rankedCount}`;
  if (settled === 0) return "new";
  return settled === 1 ? "new: 1 tip" : `new: ${formatInteger(settled)} tips`;
}
