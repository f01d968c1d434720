import { type ReactNode, useState } from "react";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import type { OpenedTip } from "./opened-cards.server.ts";
import { type PanelRaceCard, RaceCardPanel } from "./race-card-panel.ui.tsx";
import type { UnlockResponse } from "./request-unlock.ts";
import { useUnlock } from "./use-unlock.ts";

type UnlockableRaceCardProps = {
  raceCard: PanelRaceCard;
  readAt: Date;
  now: Date;
  /** The tips if the viewer has opened the card, otherwise null. */
  tips: readonly OpenedTip[] | null;
  /** The idempotency key for unlocking the card; null for a guest, who cannot. */
  idempotencyKey: string | null;
  /** The viewer is its creator. */
  isOwn?: boolean;
  /** Replaces the button for a guest. */
  guestAction?: ReactNode;
  /** Handles the response. The page shows its message. */
  onResponse: (response: UnlockResponse, raceCard: PanelRaceCard) => void;
  isExpanded?: boolean;
  /** The viewer has just opened it in a list; animates the selections. */
  isNewlyOpened?: boolean;
  level?: 1 | 2 | 3;
  isLinked?: boolean;
  hasCreator?: boolean;
};

/**
 * A race card that the viewer can open in place. Without JavaScript its form submits to the card's
 * own page.
 */
export function UnlockableRaceCard({
  raceCard,
  readAt,
  now,
  tips,
  idempotencyKey,
  isOwn = false,
  guestAction,
  onResponse,
  isExpanded = false,
  isNewlyOpened = false,
  ...panelProps
}: UnlockableRaceCardProps) {
  const [opened, setOpened] = useState<readonly OpenedTip[] | null>(null);
  const { isPending, submit } = useUnlock({
    raceCard,
    now,
    idempotencyKey: idempotencyKey ?? "",
    onResponse: (response) => {
      if (response.ok) setOpened(response.tips);
      onResponse(response, raceCard);
    },
  });

  const openedTips = opened ?? tips;
  return (
    <RaceCardPanel
      {...panelProps}
      raceCard={raceCard}
      readAt={readAt}
      now={now}
      selections={openedTips}
      isJustOpened={opened !== null || (isNewlyOpened && tips !== null)}
      isExpanded={isExpanded || opened !== null}
      badge={
        openedTips ? <Badge tone="green">Unlocked</Badge> : isOwn ? <Badge>Your card</Badge> : null
      }
      action={
        openedTips || isOwn ? null : idempotencyKey === null ? (
          guestAction
        ) : (
          <form
            method="post"
            action={`/race-cards/${raceCard.id}`}
            data-not-sent="No coins were spent."
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
            <input type="hidden" name="acknowledgedRacesRun" value="0" />
            <Button type="submit" variant="coin" pending={isPending} pendingLabel="Opening">
              Open race card
            </Button>
          </form>
        )
      }
    />
  );
}
