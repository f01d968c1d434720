import { buttonClasses } from "#ui/button-classes.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import type { OpenedTip } from "./opened-cards.server.ts";
import type { PanelRaceCard } from "./race-card-panel.ui.tsx";
import { UnlockableRaceCard } from "./unlockable-race-card.ui.tsx";
import { useUnlockAnswer } from "./use-unlock-answer.ts";

/** A race card of a list, with what the viewer has to do with it. */
export type ListedRaceCard = {
  raceCard: PanelRaceCard;
  /** What the viewer has opened of it; null while the blinker is on. */
  tips: readonly OpenedTip[] | null;
  isOwn: boolean;
  /** Null for a guest. */
  idempotencyKey: string | null;
};

/**
 * A locked card is laid out and painted when it comes near the window. Until then it has the height that
 * nearly all have, so that neither the scroll bar nor the way back to a place in the list is wrong.
 */
const UNSEEN =
  "[content-visibility:auto] [contain-intrinsic-block-size:auto_42.8125rem] sm:[contain-intrinsic-block-size:auto_27.3125rem]";

/** Race cards one below the other, each to be opened where it stands. */
export function RaceCardList({
  raceCards,
  readAt,
  now,
  hasCreator,
}: {
  raceCards: readonly ListedRaceCard[];
  readAt: Date;
  now: Date;
  hasCreator?: boolean;
}) {
  const onAnswer = useUnlockAnswer();
  return (
    <ul className="flex flex-col gap-4">
      {raceCards.map(({ raceCard, tips, isOwn, idempotencyKey }) => (
        <li key={raceCard.id} className={tips ? undefined : UNSEEN}>
          <UnlockableRaceCard
            raceCard={raceCard}
            readAt={readAt}
            now={now}
            tips={tips}
            isOwn={isOwn}
            idempotencyKey={idempotencyKey}
            guestAction={<GuestUnlock raceCardId={raceCard.id} />}
            onResponse={onAnswer}
            hasCreator={hasCreator}
          />
        </li>
      ))}
    </ul>
  );
}

/** What a guest has in place of the button: the way to sign in, or to pay for this card. */
export function GuestUnlock({ raceCardId }: { raceCardId: string }) {
  return (
    <DialogLink
      to={`/unlock/${raceCardId}`}
      opens={`unlock=${raceCardId}`}
      className={buttonClasses("coin")}
    >
      Open race card
    </DialogLink>
  );
}

/** The way to the race cards after these, and back to the first. */
export function MoreRaceCards({
  next,
  isFirst,
  search,
}: {
  next: string | null;
  isFirst: boolean;
  search: string;
}) {
  if (!next && isFirst) return null;
  const base = search ? `/?${search}` : "/";
  const more = next ? `/?${search ? `${search}&` : ""}after=${next}#race-cards` : null;
  return (
    <nav aria-label="Race cards" className="mt-4 flex flex-wrap justify-center gap-3">
      {isFirst ? null : (
        <ButtonLink to={`${base}#race-cards`} variant="secondary">
          Back to the start
        </ButtonLink>
      )}
      {more ? (
        <ButtonLink to={more} variant="secondary" rel="next">
          More race cards
        </ButtonLink>
      ) : null}
    </nav>
  );
}
