import { useFetcher } from "react-router";
import { describeGuestDeal } from "#domain/coin-packs.ts";
import { formatRaceCount } from "#domain/format-races.ts";
import { usePrices } from "#ui/prices.ts";

/** The loader data of `/unlock/:raceCardId`. */
type GuestPurchaseData = {
  raceCard: {
    venue: string;
    tipster: string;
    racesRun: number;
    races: { raceNumber: number }[];
  } | null;
};

/** Returns the fetcher of a race card that the title and the form of the guest's dialog share. */
export function useGuestPurchase(raceCardId: string) {
  return useFetcher<GuestPurchaseData>({ key: `guest-purchase:${raceCardId}` });
}

/** The title of the guest's dialog: the race card, once it is loaded. */
export function GuestUnlockTitle({ raceCardId }: { raceCardId: string }) {
  const raceCard = useGuestPurchase(raceCardId).data?.raceCard;
  return <>{raceCard ? `${raceCard.venue}, ${raceCard.tipster}` : "Open this race card"}</>;
}

/** The line below the title: the races to come, once they are loaded, and the offer. */
export function GuestUnlockDescription({ raceCardId }: { raceCardId: string }) {
  const raceCard = useGuestPurchase(raceCardId).data?.raceCard;
  const prices = usePrices();
  return (
    <>
      {raceCard ? `${formatRaceCount(raceCard.races.length - raceCard.racesRun)} to come. ` : null}
      {describeGuestDeal(prices)}
    </>
  );
}
