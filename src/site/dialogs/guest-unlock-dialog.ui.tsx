import { useEffect } from "react";
import { GuestPurchaseForm } from "#payments/payments.ui.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { useGuestPurchase } from "./guest-unlock-title.ui.tsx";

/**
 * The form with which a guest pays for one race card. It is shown before the race card is loaded: the server refuses
 * the purchase if the race card is off sale or has races run that the form did not show.
 */
export default function GuestUnlockDialog({ raceCardId }: { raceCardId: string }) {
  const { load, data } = useGuestPurchase(raceCardId);
  useEffect(() => {
    void load(`/unlock/${raceCardId}`);
  }, [load, raceCardId]);
  if (data?.raceCard === null)
    return (
      <EmptyState compact drawing="post" title="This race card is no longer on sale">
        Choose another race card from the list.
      </EmptyState>
    );
  return (
    <GuestPurchaseForm
      raceCardId={raceCardId}
      racesRun={data?.raceCard.racesRun ?? 0}
      raceCount={data?.raceCard.races.length ?? 0}
      returnTo={`/race-cards/${raceCardId}`}
    />
  );
}
