import { useRef, useState } from "react";
import { formatCardPrice } from "#domain/coin-packs.ts";
import { formatRaceCount } from "#domain/format-races.ts";
import { useNotification } from "#ui/notifications/notification.tsx";
import { usePrices } from "#ui/prices.ts";
import { countRacesRun } from "./count-races-run.ts";
import { requestUnlock, type UnlockResponse } from "./request-unlock.ts";

/**
 * Returns a function that opens a race card, once per click. The viewer first has to confirm that races
 * have been run. `onResponse` gets every response except that confirmation.
 */
export function useUnlock<
  RaceCard extends { id: string; races: readonly { offAt: Date | null }[] },
>({
  raceCard,
  now,
  idempotencyKey,
  onResponse,
}: {
  raceCard: RaceCard;
  now: Date;
  idempotencyKey: string;
  onResponse: (response: UnlockResponse, raceCard: RaceCard) => void;
}): { isPending: boolean; submit: () => Promise<void> } {
  const { confirm } = useNotification();
  const cardPrice = formatCardPrice(usePrices());
  const [isPending, setPending] = useState(false);
  const isBusy = useRef(false);

  const unlock = async (acknowledgedRacesRun: number): Promise<void> => {
    const count = raceCard.races.length;
    if (
      acknowledgedRacesRun > 0 &&
      !(await confirm(buildConfirmation(acknowledgedRacesRun, count, cardPrice)))
    )
      return;
    setPending(true);
    const response = await requestUnlock(raceCard.id, { idempotencyKey, acknowledgedRacesRun });
    setPending(false);
    // A race has gone off since the page was rendered, so the viewer has to confirm again.
    if (!response.ok && response.refusal === "races-run") return await unlock(response.racesRun);
    onResponse(response, raceCard);
  };
  const submit = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    await unlock(countRacesRun(raceCard.races, now)).finally(() => {
      isBusy.current = false;
    });
  };
  return { isPending, submit };
}

function buildConfirmation(racesRun: number, count: number, cardPrice: string) {
  const left = count - racesRun;

  return {
    title: `${racesRun} of ${count} races run`,
    message:
      left === 0
        ? `All races have started. Opening the race card still costs ${cardPrice}.`
        : `${formatRaceCount(left)} still to run. Opening the race card still costs ${cardPrice}.`,
    confirmText: "Open race card",
  };
}
