import { buttonClasses } from "#ui/button-classes.ts";
import { ButtonLink } from "#ui/button-link.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import type { OpenedTip } from "./opened-cards.server.ts";
import type { PanelRaceCard } from "./race-card-panel.ui.tsx";
import { UnlockableRaceCard } from "./unlockable-race-card.ui.tsx";
import { useUnlockResponse } from "./use-unlock-response.ts";

/** A race card in a list, with the viewer's relation to it. */
export type ListedRaceCard = {
  raceCard: PanelRaceCard;
  /** The tips if the viewer has opened the race card, otherwise null. */
  tips: readonly OpenedTip[] | null;
  isOwn: boolean;
  /** Null for a guest. */
  idempotencyKey: string | null;
};

/**
 * Skips layout and paint of a locked race card until it is near the viewport. The intrinsic size is the
 * height of nearly all race cards, so that the scroll bar and scroll restoration are correct.
 */
const RENDER_NEAR_VIEWPORT =
  "[content-visibility:auto] [contain-intrinsic-block-size:auto_42.8125rem] sm:[contain-intrinsic-block-size:auto_27.3125rem]";

/** A list of race cards that the viewer can open in place. */
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
  const handleUnlockResponse = useUnlockResponse();
  return (
    <ul className="flex flex-col gap-4">
      {raceCards.map(({ raceCard, tips, isOwn, idempotencyKey }) => (
        <li key={raceCard.id} className={tips ? undefined : RENDER_NEAR_VIEWPORT}>
          <UnlockableRaceCard
            raceCard={raceCard}
            readAt={readAt}
            now={now}
            tips={tips}
            isOwn={isOwn}
            idempotencyKey={idempotencyKey}
            guestAction={<GuestUnlock raceCardId={raceCard.id} />}
            onResponse={handleUnlockResponse}
            hasCreator={hasCreator}
          />
        </li>
      ))}
    </ul>
  );
}

/** The guest's button, which offers to sign in or to pay for this card. */
export function GuestUnlock({ raceCardId }: { raceCardId: string }) {
  return (
    <DialogLink
      to={`/unlock/${raceCardId}`}
      dialogParameter={`unlock=${raceCardId}`}
      className={buttonClasses("coin")}
    >
      Open race card
    </DialogLink>
  );
}

/** Pagination of the race cards: the next page and back to the start. */
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
  const basePath = search ? `/?${search}` : "/";
  const nextPath = next ? `/?${search ? `${search}&` : ""}after=${next}#race-cards` : null;
  return (
    <nav aria-label="Race cards" className="mt-4 flex flex-wrap justify-center gap-3">
      {isFirst ? null : (
        <ButtonLink to={`${basePath}#race-cards`} variant="secondary">
          Back to the start
        </ButtonLink>
      )}
      {nextPath ? (
        <ButtonLink to={nextPath} variant="secondary" rel="next">
          More race cards
        </ButtonLink>
      ) : null}
    </nav>
  );
}
