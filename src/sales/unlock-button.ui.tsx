import type { ReactNode } from "react";
import { CARD_PRICE_COINS } from "#domain/coins.ts";
import { Button } from "#ui/button.tsx";
import { type ButtonSize, buttonClasses } from "#ui/button-classes.ts";
import { DialogLink } from "#ui/dialog-link.tsx";
import { useBalance } from "#wallet/wallet.ui.tsx";
import type { UnlockResponse } from "./request-unlock.ts";
import { useUnlock } from "./use-unlock.ts";
import { useUnlockAndShow } from "./use-unlock-response.ts";

/** What unlocking a race card needs to know of it. */
export type RaceCardToUnlock = { id: string; races: readonly { offAt: Date | null }[] };

type UnlockButtonProps<RaceCard extends RaceCardToUnlock> = {
  raceCard: RaceCard;
  now: Date;
  /** The idempotency key for unlocking; null for a guest. */
  idempotencyKey: string | null;
  onResponse: (response: UnlockResponse, raceCard: RaceCard) => void;
  size?: ButtonSize;
  /** Uses the full width of the container. */
  wide?: boolean;
  /** The accessible name, where the visible text is not enough. */
  label?: string;
  children: ReactNode;
};

/**
 * The gold button that opens a race card: a form for a user, a link to the guest purchase for a guest, and a link
 * to the coin packs for a user whose coins do not suffice. Without JavaScript the form submits to the race card's own page.
 */
export function UnlockButton<RaceCard extends RaceCardToUnlock>(
  props: UnlockButtonProps<RaceCard>,
) {
  const { raceCard, idempotencyKey, size, wide, label, children } = props;
  const { coins } = useBalance();
  const hasTooFewCoins = coins !== null && coins < CARD_PRICE_COINS;
  if (idempotencyKey === null || hasTooFewCoins)
    return (
      <DialogLink
        to={hasTooFewCoins ? `/buy-coins?card=${raceCard.id}` : `/unlock/${raceCard.id}`}
        dialogParameter={`${hasTooFewCoins ? "buy-coins" : "unlock"}=${raceCard.id}`}
        className={buttonClasses("coin", size, wide)}
        aria-label={label}
      >
        {children}
      </DialogLink>
    );
  return <UnlockForm {...props} idempotencyKey={idempotencyKey} />;
}

function UnlockForm<RaceCard extends RaceCardToUnlock>({
  raceCard,
  now,
  idempotencyKey,
  onResponse,
  size,
  wide,
  label,
  children,
}: UnlockButtonProps<RaceCard> & { idempotencyKey: string }) {
  const { isPending, submit } = useUnlock({ raceCard, now, idempotencyKey, onResponse });
  return (
    <form
      method="post"
      action={`/race-cards/${raceCard.id}`}
      data-not-sent="No coins were spent."
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Button
        type="submit"
        name="idempotencyKey"
        value={idempotencyKey}
        variant="coin"
        size={size}
        wide={wide}
        pending={isPending}
        pendingLabel="Opening"
        aria-label={isPending ? undefined : label}
      >
        {children}
      </Button>
    </form>
  );
}

/** The button that opens a race card on a page without a list of race cards, and then shows its page. */
export function OpenRaceCardButton(props: Omit<UnlockButtonProps<RaceCardToUnlock>, "onResponse">) {
  return <UnlockButton {...props} onResponse={useUnlockAndShow()} />;
}
