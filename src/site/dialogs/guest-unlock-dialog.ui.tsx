import { useEffect } from "react";
import { useFetcher } from "react-router";
import { GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand } from "#domain/coins.ts";
import { GuestPurchaseForm } from "#payments/payments.ui.tsx";
import { buttonClasses } from "#ui/button-classes.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { RaceDate } from "#ui/racing/race-time.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { buildAccountPagePath } from "./account-dialog-value.ts";

/** The loader data of `/unlock/:raceCardId`. */
type GuestPurchaseData = {
  raceCard: {
    id: string;
    venue: string;
    raceDate: string;
    tipster: string;
    racesRun: number;
    races: { raceNumber: number }[];
  } | null;
  idempotencyKey: string;
};

/** Lets a guest sign in, register or pay for one race card. */
export default function GuestUnlockDialog({
  raceCardId,
  isPaying,
}: {
  raceCardId: string;
  isPaying: boolean;
}) {
  const { load, data } = useFetcher<GuestPurchaseData>();
  useEffect(() => {
    void load(`/unlock/${raceCardId}`);
  }, [load, raceCardId]);
  if (!data) {
    return (
      <div className="grid gap-4">
        <Skeleton label="Loading" className="h-12 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    );
  }
  const { raceCard, idempotencyKey } = data;
  if (!raceCard) {
    return (
      <EmptyState compact drawing="post" title="This race card is no longer on sale">
        Choose another race card from the list.
      </EmptyState>
    );
  }
  const returnTo = `/race-cards/${raceCard.id}`;
  return (
    <div className="grid gap-5">
      <p>
        <b className="font-cond text-xl">{raceCard.venue}</b>, <RaceDate date={raceCard.raceDate} />
        <span className="block text-sm text-ink-2">
          {raceCard.races.length === 1 ? "1 race" : `${raceCard.races.length} races`} by{" "}
          {raceCard.tipster}
        </span>
      </p>
      {isPaying ? (
        <>
          <GuestPurchaseForm
            raceCardId={raceCard.id}
            racesRun={raceCard.racesRun}
            raceCount={raceCard.races.length}
            returnTo={returnTo}
            idempotencyKey={idempotencyKey}
          />
          <p className="text-sm text-ink-2">
            Already have an account?{" "}
            <DialogLink
              to={buildAccountPagePath({ mode: "sign-in", raceCardId: raceCard.id })}
              dialogParameter={`account=sign-in:${raceCard.id}`}
              className="link tap rounded-sm"
            >
              Log in
            </DialogLink>
          </p>
        </>
      ) : (
        <>
          <div className="grid grid-cols-2 gap-3">
            <DialogLink
              to={buildAccountPagePath({ mode: "sign-in", raceCardId: raceCard.id })}
              dialogParameter={`account=sign-in:${raceCard.id}`}
              className={buttonClasses("primary")}
            >
              Login
            </DialogLink>
            <DialogLink
              to={buildAccountPagePath({ mode: "register", raceCardId: raceCard.id })}
              dialogParameter={`account=register:${raceCard.id}`}
              className={buttonClasses("secondary")}
            >
              Create Account
            </DialogLink>
          </div>
          <section
            aria-labelledby="guest-deal"
            className="rounded-md border border-rule bg-sheet p-4"
          >
            <h3 id="guest-deal" className="font-cond text-lg font-bold">
              Or buy just this race card
            </h3>
            <p className="mt-1 text-sm text-ink-2">
              {formatRand(GUEST_DEAL.priceCents)} opens this race card and adds{" "}
              {formatCoins(GUEST_DEAL.amountCoins)} to your new account for the next one.
            </p>
            <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
              <CoinAmount amountCoins={CARD_PRICE_COINS} priceCents={GUEST_DEAL.priceCents} />
              <DialogLink
                to={`/unlock/${raceCard.id}`}
                dialogParameter={`unlock=${raceCard.id}:pay`}
                className={buttonClasses("coin")}
              >
                Unlock this race card
              </DialogLink>
            </div>
          </section>
        </>
      )}
    </div>
  );
}
