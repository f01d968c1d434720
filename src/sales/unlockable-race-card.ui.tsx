import { type ReactNode, useRef, useState } from "react";
import { CARD_PRICE_LABEL } from "#domain/coins.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { useNotification } from "#ui/notifications/notification.tsx";
import { type OpenAnswer, openRaceCard } from "./open-race-card.ts";
import type { OpenedTip } from "./opened-tip.server.ts";
import { type PanelRaceCard, RaceCardPanel, racesRun } from "./race-card-panel.ui.tsx";

type UnlockableRaceCardProps = {
  raceCard: PanelRaceCard;
  readAt: Date;
  now: Date;
  /** What the viewer has opened of it already. */
  tips: readonly OpenedTip[] | null;
  /** Names this viewer's wish to open this card; null for a guest, who cannot. */
  idempotencyKey: string | null;
  /** The viewer wrote it. */
  isOwn?: boolean;
  /** In the button's place for a guest. */
  guestAction?: ReactNode;
  /** What the server said: the page has the words for it. */
  onAnswer: (answer: OpenAnswer, raceCard: PanelRaceCard) => void;
  isUnfolded?: boolean;
  level?: 1 | 2 | 3;
  isLinked?: boolean;
  hasCreator?: boolean;
};

/**
 * A race card that the viewer can open where it stands. Without scripts its form is taken by the
 * card's own page, which then shows the same.
 */
export function UnlockableRaceCard({
  raceCard,
  readAt,
  now,
  tips,
  idempotencyKey,
  isOwn = false,
  guestAction,
  onAnswer,
  isUnfolded = false,
  ...look
}: UnlockableRaceCardProps) {
  const { confirm } = useNotification();
  const [isPending, setPending] = useState(false);
  const [opened, setOpened] = useState<readonly OpenedTip[] | null>(null);
  const isBusy = useRef(false);
  const run = racesRun(raceCard.races, now);

  const ask = async (racesRun: number): Promise<void> => {
    if (racesRun > 0 && !(await confirm(question(racesRun, raceCard.races.length)))) return;
    setPending(true);
    const answer = await openRaceCard(raceCard.id, {
      idempotencyKey: idempotencyKey ?? "",
      racesRun,
    });
    setPending(false);
    if (answer.ok) setOpened(answer.tips);
    // A race has gone off since the page was made: the viewer is told, and asked.
    else if (answer.refusal === "races-run") return await ask(answer.racesRun);
    onAnswer(answer, raceCard);
  };
  const submit = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    await ask(run).finally(() => {
      isBusy.current = false;
    });
  };

  const selections = opened ?? tips;
  return (
    <RaceCardPanel
      {...look}
      raceCard={raceCard}
      readAt={readAt}
      now={now}
      selections={selections}
      isJustOpened={opened !== null}
      isUnfolded={isUnfolded || opened !== null}
      badge={
        selections ? <Badge tone="green">Unlocked</Badge> : isOwn ? <Badge>Your card</Badge> : null
      }
      action={
        selections || isOwn ? null : idempotencyKey === null ? (
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

function question(run: number, count: number) {
  const left = count - run;

  return {
    title: `${run} of ${count} races run`,
    message:
      left === 0
        ? `All races have started. Opening the race card still costs ${CARD_PRICE_LABEL}.`
        : `${left === 1 ? "1 race" : `${left} races`} still to run. Opening the race card still costs ${CARD_PRICE_LABEL}.`,
    confirmText: "Open race card",
  };
}
