import { OpenRaceCardButton } from "#sales/sales.ui.tsx";
import { ButtonLink } from "#ui/button-link.tsx";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { CardPrice } from "#ui/prices.ts";
import { useMinute } from "#ui/use-minute.ts";
import {
  describeFirstRace,
  formatRaceCardName,
  type RequestedRaceCard,
} from "./requested-race-card.ts";

/** What a buyer of coins does next: one gold button that leads to the race card, or why it cannot be opened. */
export function RequestedRaceCardAction({
  raceCard,
  isSignedIn,
  idempotencyKey,
}: {
  raceCard: RequestedRaceCard;
  isSignedIn: boolean;
  idempotencyKey: string;
}) {
  const now = useMinute(raceCard.readAt);
  const name = formatRaceCardName(raceCard);
  const path = `/race-cards/${raceCard.id}`;
  const linkProps = { variant: "coin", size: "large", wide: true } as const;
  if (!isSignedIn)
    return (
      <ButtonLink to={`/login?return=${encodeURIComponent(path)}`} {...linkProps}>
        Log in to open {name}
      </ButtonLink>
    );
  if (raceCard.state === "opened")
    return (
      <ButtonLink to={path} {...linkProps}>
        Read {name}
      </ButtonLink>
    );
  if (raceCard.state === "off-sale")
    return (
      <FormMessage type="info" title={`${name} is no longer on sale`}>
        Your coins stay in your wallet and never expire.
      </FormMessage>
    );
  return (
    <div>
      <OpenRaceCardButton {...{ raceCard, now, idempotencyKey }} size="large" wide>
        Open {name}
      </OpenRaceCardButton>
      <p className="mt-1.5 text-center text-sm text-ink-2">
        {describeFirstRace(raceCard, now)} Opening costs <CardPrice />.
      </p>
    </div>
  );
}
