import { useState } from "react";
import { Badge } from "#ui/badge.tsx";
import type { OpenedTip } from "./opened-cards.server.ts";
import { type PanelRaceCard, RaceCardPanel } from "./race-card-panel.ui.tsx";
import type { UnlockResponse } from "./request-unlock.ts";
import type { Selection } from "./selections.ui.tsx";
import { UnlockButton } from "./unlock-button.ui.tsx";

type UnlockableRaceCardProps = {
  raceCard: PanelRaceCard;
  readAt: Date;
  now: Date;
  /** The tips if the viewer has opened the card, otherwise null. */
  tips: readonly OpenedTip[] | null;
  /** The idempotency key for unlocking the card; null for a guest. */
  idempotencyKey: string | null;
  /** The viewer is its creator. */
  isOwn?: boolean;
  /** Handles the response. The page shows its message. */
  onResponse: (response: UnlockResponse, raceCard: PanelRaceCard) => void;
  isExpanded?: boolean;
  /** The viewer has just opened it in a list; animates the selections. */
  isNewlyOpened?: boolean;
  level?: 1 | 2 | 3;
  isLinked?: boolean;
  hasCreator?: boolean;
  /** The selections that are public already. */
  publicSelections?: readonly Selection[];
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
  onResponse,
  isExpanded = false,
  isNewlyOpened = false,
  publicSelections,
  ...panelProps
}: UnlockableRaceCardProps) {
  const [opened, setOpened] = useState<readonly OpenedTip[] | null>(null);
  const openedTips = opened ?? tips;
  return (
    <RaceCardPanel
      {...panelProps}
      raceCard={raceCard}
      readAt={readAt}
      now={now}
      selections={openedTips}
      publicSelections={openedTips ? [] : publicSelections}
      isJustOpened={opened !== null || (isNewlyOpened && tips !== null)}
      isExpanded={isExpanded || opened !== null}
      badge={
        openedTips ? <Badge tone="green">Unlocked</Badge> : isOwn ? <Badge>Your card</Badge> : null
      }
      action={
        openedTips || isOwn ? null : (
          <UnlockButton
            {...{ raceCard, now, idempotencyKey }}
            onResponse={(response) => {
              if (response.ok) setOpened(response.tips);
              onResponse(response, raceCard);
            }}
          >
            Open race card
          </UnlockButton>
        )
      }
    />
  );
}
