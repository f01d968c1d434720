import { type ReactNode, useRef, useState } from "react";
import { CARD_PRICE_LABEL } from "#domain/coins.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import type { OpenedTip } from "./opened-cards.server.ts";
import { countRacesRun, type PanelRaceCard, RaceCardPanel } from "./race-card-panel.ui.tsx";
import { requestUnlock, type UnlockResponse } from "./request-unlock.ts";

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
  ...panelProps
}: UnlockableRaceCardProps) {
  const { confirm } = useNotification();
  const [isPending, setPending] = useState(false);
  const [opened, setOpened] = useState<readonly OpenedTip[] | null>(null);
  const isBusy = useRef(false);
  const racesRun = countRacesRun(raceCard.races, now);

  const unlock = async (acknowledgedRacesRun: number): Promise<void> => {
    const count = raceCard.races.length;
    if (
      acknowledgedRacesRun > 0 &&
      !(await confirm(buildConfirmation(acknowledgedRacesRun, count)))
    )
      return;
    setPending(true);
    const response = await requestUnlock(raceCard.id, {
      idempotencyKey: idempotencyKey ?? "",
      acknowledgedRacesRun,
    });
    setPending(false);
    if (response.ok) setOpened(response.tips);
    // A race has gone off since the page was rendered, so the viewer has to confirm again.
    else if (response.refusal === "races-run") return await unlock(response.racesRun);
    onResponse(response, raceCard);
  };
  const submit = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    await unlock(racesRun).finally(() => {
      isBusy.current = false;
    });
  };

  const openedTips = opened ?? tips;
  return (
    <RaceCardPanel
      {...panelProps}
      raceCard={raceCard}
      readAt={readAt}
      now={now}
      selections={openedTips}
      isJustOpened={opened !== null}
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

function buildConfirmation(racesRun: number, count: number) {
  const left = count - racesRun;

  return {
    title: `${racesRun} of ${count} races run`,
    message:
      left === 0
        ? `All races have started. Opening the race card still costs ${CARD_PRICE_LABEL}.`
        : `${left === 1 ? "1 race" : `${left} races`} still to run. Opening the race card still costs ${CARD_PRICE_LABEL}.`,
    confirmText: "Open race card",
  };
}
