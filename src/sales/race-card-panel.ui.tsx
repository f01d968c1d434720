import type { ReactNode } from "react";
import { Link } from "react-router";
import { dateAt, timeAt } from "#domain/calendar.ts";
import { CARD_PRICE_COINS, formatCoins } from "#domain/coins.ts";
import type { LockedTip } from "#domain/tip.ts";
import type { RaceCardPreview } from "#tips/tips.server.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { Countdown } from "#ui/countdown.tsx";
import { TipsterLink } from "#ui/dialog-link.tsx";
import { usePrices } from "#ui/prices.ts";
import { LockedSelection } from "#ui/racing/locked-selection.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { RevealAnimation } from "#ui/racing/reveal-animation.tsx";
import { WinRecord } from "#ui/racing/win-record.tsx";
import { AFTER_RACES } from "./coin-return-words.ts";
import { countRacesRun } from "./count-races-run.ts";
import { formatScratched } from "./format-scratched.ts";
import type { CoinReturn } from "./opened-cards.server.ts";
import { RaceList } from "./race-list.ui.tsx";
import { type Selection, Selections } from "./selections.ui.tsx";

/** The public details of a race card. */
export type PanelRaceCard = Pick<RaceCardPreview, "id" | "raceDate" | "teaser"> & {
  venue: Pick<RaceCardPreview["venue"], "name" | "location">;
  creator: Omit<RaceCardPreview["creator"], "id" | "winRate" | "level">;
  races: readonly LockedTip[];
  /** False while no race of the race card is on a reported race day. */
  isMeetingConfirmed?: boolean;
  /** The selections that are not sold, because their horses are scratched. */
  scratchedRaces?: number;
  coinReturn?: CoinReturn;
};

type RaceCardPanelProps = {
  raceCard: PanelRaceCard;
  /** The server's time when the data was read. The countdown starts from it. */
  readAt: Date;
  /** The current time, updated every minute. */
  now: Date;
  /** The selections if the viewer may see them, otherwise null. */
  selections: readonly Selection[] | null;
  /** The viewer has opened the race card on this page; animates the selections. */
  isJustOpened?: boolean;
  /** Shows the analysis of the next race. */
  hasNextOpen?: boolean;
  /** The viewer's relation to the race card: Unlocked, Your card. */
  badge?: ReactNode;
  /** The button that opens the race card, beside the price. Without it no price is shown. */
  action?: ReactNode;
  /** The heading level of the venue's name. */
  level?: 1 | 2 | 3;
  /** Links the venue's name to the race card's own page. */
  isLinked?: boolean;
  /** A note below the venue, for example when the race card was opened. */
  note?: ReactNode;
  /** Shows the creator. False in a list of one creator's cards. */
  hasCreator?: boolean;
  /** The selections that are public already, of a race card that the viewer has not opened. */
  publicSelections?: readonly Selection[];
  /** Replaces the blinker of a race card that can no longer be opened. */
  children?: ReactNode;
};

const NOTHING_RETURNED: CoinReturn = { coins: 0, isSoldAfterRaces: false };

/** Returns whether every race of an opened race card was declared void. */
export function isVoid(selections: readonly Pick<Selection, "result">[] | null): boolean {
  return (
    selections !== null &&
    selections.length > 0 &&
    selections.every((selection) => selection.result === "void")
  );
}

function describeReturn(isCardVoid: boolean, { coins, isSoldAfterRaces }: CoinReturn): string {
  const cause = isSoldAfterRaces
    ? `You opened this race card ${AFTER_RACES}. `
    : isCardVoid
      ? "Every race on this race card is void. "
      : "";
  if (coins === 0) return cause.trim();
  if (coins === CARD_PRICE_COINS)
    return `${cause}We have returned your ${formatCoins(coins)} to your wallet.`;
  return `${cause}We have returned ${formatCoins(coins)} of ${CARD_PRICE_COINS} to your wallet for void races.`;
}

/** A race card, locked under blinkers or opened. */
export function RaceCardPanel({
  raceCard,
  readAt,
  now,
  selections,
  isJustOpened = false,
  hasNextOpen = false,
  badge,
  action,
  level = 3,
  isLinked = true,
  note,
  hasCreator = true,
  publicSelections = [],
  children,
}: RaceCardPanelProps) {
  const { cardCents } = usePrices();
  const Heading = `h${level}` as const;
  const titleId = `race-card-${raceCard.id}`;
  const racesRunCount = countRacesRun(raceCard.races, now);
  const raceCount = raceCard.races.length;
  const isCardVoid = isVoid(selections);
  const { coinReturn = NOTHING_RETURNED } = raceCard;
  const isPast = raceCard.raceDate < dateAt(now);
  const publicRaces = new Set(publicSelections.map(({ raceNumber }) => raceNumber));
  const lockedCount = raceCard.races.filter(
    ({ raceNumber }) => !publicRaces.has(raceNumber),
  ).length;
  return (
    <article
      aria-labelledby={titleId}
      className="@container overflow-hidden rounded-md border border-rule bg-sheet"
    >
      <header className="flex items-start justify-between gap-4 px-4 pt-3 pb-2.5">
        <div className="min-w-0">
          <Heading id={titleId} className="font-cond text-2xl font-bold tracking-[-0.01em]">
            {isLinked ? (
              <Link
                to={`/race-cards/${raceCard.id}`}
                className="tap no-underline hover:underline hover:decoration-2 hover:underline-offset-4"
              >
                {raceCard.venue.name}
              </Link>
            ) : (
              raceCard.venue.name
            )}
          </Heading>
          <p className="text-sm text-ink-2 @max-md:grid">
            <span className="truncate">{raceCard.venue.location}</span>
            <span className="@max-md:hidden"> · </span>
            {/* Reserves the height of the badge, which appears when the race card is opened. */}
            <span className="inline-flex h-[1.375rem] items-center gap-2 align-top">
              <RaceDate date={raceCard.raceDate} />
              {isCardVoid ? <Badge tone="warn">Void</Badge> : badge}
            </span>
          </p>
          {isCardVoid || coinReturn.coins > 0 ? (
            <p className="mt-1 text-sm">{describeReturn(isCardVoid, coinReturn)}</p>
          ) : null}
          {raceCard.isMeetingConfirmed === false && !isPast ? (
            <p className="text-xs font-semibold text-warn-ink">Meeting not confirmed</p>
          ) : null}
          {raceCard.scratchedRaces && !selections ? (
            <p className="text-xs font-semibold text-warn-ink">
              {formatScratched(raceCard.scratchedRaces)}, not included
            </p>
          ) : null}
          {note ? <p className="text-xs text-ink-3">{note}</p> : null}
        </div>
        {isPast || isCardVoid || raceCount === 0 ? null : (
          <NextOff races={raceCard.races} now={now} readAt={readAt} />
        )}
      </header>
      {(selections && !isJustOpened) || raceCount === 0 ? null : (
        <RaceList races={raceCard.races} date={raceCard.raceDate} now={now} />
      )}
      <RaceCardCreator
        creator={hasCreator ? raceCard.creator : null}
        teaser={selections ? null : raceCard.teaser}
      />
      {selections ? (
        <RevealAnimation isNewlyOpened={isJustOpened}>
          <Selections
            selections={selections}
            date={raceCard.raceDate}
            now={now}
            hasNextOpen={hasNextOpen}
            isNewlyOpened={isJustOpened}
          />
        </RevealAnimation>
      ) : children ? (
        <div className="px-4 pb-4">{children}</div>
      ) : lockedCount === 0 ? null : (
        <div className="px-4 pb-4">
          <LockedSelection
            title={lockedCount === 1 ? "1 selection, locked" : `${lockedCount} selections, locked`}
          >
            {lockedCount === 1
              ? "Open to see the horse, number and analysis."
              : "Open to see the horse, number and analysis for each race."}
          </LockedSelection>
        </div>
      )}
      {publicSelections.length > 0 ? (
        <section aria-label="Public selections">
          <p className="px-4 pb-1.5 text-xs text-ink-2">
            Public, because the result is official. Only buyers can read the analysis.
          </p>
          <Selections selections={publicSelections} date={raceCard.raceDate} now={now} />
        </section>
      ) : null}
      {action ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-rule px-4 py-3">
          <div>
            <CoinAmount amountCoins={CARD_PRICE_COINS} priceCents={cardCents} size="large" />
            <p className="text-xs text-ink-2">
              {racesRunCount > 0 ? (
                <strong className="font-semibold text-warn-ink">
                  {racesRunCount} of {raceCount} races run.{" "}
                </strong>
              ) : null}
              {raceCount === 1
                ? "Opens the race. Yours to keep."
                : `Opens all ${raceCount} races. Yours to keep.`}
            </p>
          </div>
          <div className="@max-sm:w-full @max-sm:[&_:is(a,button)]:w-full">{action}</div>
        </div>
      ) : null}
    </article>
  );
}

function NextOff({ races, now, readAt }: { races: readonly LockedTip[]; now: Date; readAt: Date }) {
  const nextRace = races.find((race) => race.offAt !== null && race.offAt > now);
  if (!nextRace?.offAt) {
    const hasOffTime = races.some((race) => race.offAt !== null);
    return (
      <span className="shrink-0 pt-1 text-sm text-ink-2">
        {hasOffTime ? "All races run" : "Off times not reported"}
      </span>
    );
  }
  return (
    <span className="shrink-0 pt-1 text-sm text-ink-2">
      <span className="whitespace-nowrap">
        Race {nextRace.raceNumber} at{" "}
        <b className="font-cond font-bold text-ink">{timeAt(nextRace.offAt)}</b>
      </span>
      <span className="block whitespace-nowrap [&>time]:min-w-0">
        in <Countdown until={nextRace.offAt.toISOString()} now={readAt.toISOString()} />
      </span>
    </span>
  );
}

function RaceCardCreator({
  creator,
  teaser,
}: {
  creator: PanelRaceCard["creator"] | null;
  teaser: string | null;
}) {
  if (!creator && !teaser) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
      {creator ? (
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={creator.name} photo={creator.photo} />
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2">
              <TipsterLink
                slug={creator.slug}
                className="tap min-w-0 font-semibold wrap-anywhere no-underline hover:underline hover:underline-offset-4"
              >
                {creator.name}
              </TipsterLink>
              {creator.kind === "analyst" ? <Badge>Analyst</Badge> : null}
            </p>
            <WinRecord
              wonTips={creator.record.won}
              settledTips={creator.record.settled}
              hasOnePersonResults={creator.hasOnePersonResults}
            />
          </div>
        </div>
      ) : null}
      {teaser ? <p className="min-w-64 flex-1 text-sm text-ink-2">{teaser}</p> : null}
    </div>
  );
}
