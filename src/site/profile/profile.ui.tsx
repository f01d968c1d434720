import { Form, Link } from "react-router";
import { dateAt, formatDate } from "#domain/calendar.ts";
import { coinsCents } from "#domain/coin-packs.ts";
import { formatCoins, formatRand } from "#domain/coins.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { buttonClasses } from "#ui/button-classes.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { DialogLink } from "#ui/dialog-link.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { formatInteger } from "#ui/format-integer.ts";
import { FormMessage } from "#ui/forms/form-message.tsx";
import { usePrices } from "#ui/prices.ts";
import { DateTime, RaceDate } from "#ui/racing/race-time.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { SectionHeading } from "#ui/section-heading.tsx";
import { StatRow } from "#ui/stat.tsx";
import type { Profile } from "./read-profile.server.ts";
import { ResendConfirmation } from "./resend-confirmation.ui.tsx";

/** The user's name, email address and verification state. */
export function ProfileHeader({ profile, level }: { profile: Profile; level?: 1 }) {
  return (
    <div>
      <div className="flex items-center gap-4">
        <Avatar name={profile.name} size="large" />
        <div className="min-w-0">
          {level === 1 ? (
            <h1 className="font-cond text-3xl font-bold tracking-[-0.015em]">{profile.name}</h1>
          ) : (
            <p className="font-cond text-2xl font-bold wrap-anywhere">{profile.name}</p>
          )}
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
            <span className="break-all">{profile.email}</span>
            {profile.emailVerified ? (
              <Badge tone="green">Verified</Badge>
            ) : (
              <Badge tone="warn">Not verified</Badge>
            )}
          </p>
          <p className="text-sm text-ink-2">
            Member since {formatDate(dateAt(new Date(profile.memberSince)))}
          </p>
        </div>
      </div>
      {profile.emailVerified ? null : <ResendConfirmation className="mt-4" />}
    </div>
  );
}

/** The balance and its value in rand. */
export function ProfileBalance({ profile }: { profile: Profile }) {
  const prices = usePrices();
  const { balanceCoins, owedCoins, isFrozen } = profile.wallet;
  return (
    <div className="rounded-md border border-rule bg-sheet">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
        <div>
          <CoinAmount
            amountCoins={balanceCoins}
            priceCents={coinsCents(prices, balanceCoins)}
            size="huge"
          />
          <p className="text-xs text-ink-2">
            Coins never expire. Rand value at {formatRand(coinsCents(prices, 1))} a coin.
          </p>
        </div>
        {isFrozen ? null : (
          <DialogLink to="/buy-coins" dialogParameter="buy-coins" className={buttonClasses("coin")}>
            Buy More Coins
          </DialogLink>
        )}
      </div>
      {owedCoins > 0 ? (
        <FormMessage
          type="warning"
          title={`You owe ${formatCoins(owedCoins)}`}
          className="m-3 mt-0"
        >
          A payment was refunded after you had spent the coins. Your next purchase repays them
          first, then you can open race cards again.
        </FormMessage>
      ) : null}
      {isFrozen ? (
        <FormMessage
          type="warning"
          title="You can't open race cards right now"
          className="m-3 mt-0"
        >
          One of your payments is in dispute with the bank or being refunded. You can open race
          cards and buy coins again once it is resolved.
        </FormMessage>
      ) : null}
    </div>
  );
}

/** Totals of opened race cards and spent coins. */
export function ProfileStatistics({ profile }: { profile: Profile }) {
  const prices = usePrices();
  const { raceCards, tips, spentCoins } = profile.openedTotals;
  return (
    <StatRow
      className="grid-cols-3!"
      stats={[
        {
          label: raceCards === 1 ? "race card opened" : "race cards opened",
          value: formatInteger(raceCards),
        },
        { label: tips === 1 ? "race opened" : "races opened", value: formatInteger(tips) },
        {
          label: spentCoins === 1 ? "coin spent" : "coins spent",
          value: formatInteger(spentCoins),
          note: formatRand(coinsCents(prices, spentCoins)),
        },
      ]}
    />
  );
}

/** The latest purchases. Those beyond `shownCount` are collapsed. */
export function RecentPurchases({ profile, shownCount }: { profile: Profile; shownCount: number }) {
  const { purchases, delayedOrders } = profile;
  return (
    <section aria-labelledby="recent-purchases">
      <SectionHeading id="recent-purchases">Recent purchases</SectionHeading>
      {delayedOrders.length > 0 ? (
        <ul className="mt-1">
          {delayedOrders.map((order) => (
            <li key={order.id} className="flex items-center gap-4 border-b border-rule py-2">
              <span className="min-w-0 flex-1">
                <Link
                  to={`/success?session_id=${order.sessionId}`}
                  className="tap block font-semibold no-underline hover:underline hover:underline-offset-4"
                >
                  {order.coinPackTitle}
                </Link>
                <span className="flex flex-wrap gap-x-2 text-xs text-ink-2">
                  <span className="font-semibold text-warn-ink">Waiting for your payment</span>
                  <DateTime at={order.orderedAt} />
                </span>
              </span>
              <RandAmount amountCents={order.amountCents} className="min-w-14 text-right" />
            </li>
          ))}
        </ul>
      ) : null}
      {purchases.length === 0 ? (
        delayedOrders.length > 0 ? null : (
          <EmptyState compact drawing="ledger" title="No purchases yet" />
        )
      ) : (
        <CollapsibleList
          items={purchases}
          shownCount={shownCount}
          itemName={["purchase", "purchases"]}
          itemKey={(item) => item.id}
        >
          {(purchase) => (
            <>
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">{purchase.coinPackTitle}</span>
                <span className="text-xs text-ink-2">
                  <DateTime at={purchase.boughtAt} />
                  {purchase.refundedCents > 0
                    ? ` · ${formatRand(purchase.refundedCents)} refunded`
                    : null}
                  {purchase.isCancellable ? (
                    <>
                      {" · "}
                      <Link to={`/profile/purchases/${purchase.id}/refund`} className="link tap">
                        Cancel
                      </Link>
                    </>
                  ) : null}
                </span>
              </span>
              <CoinAmount amountCoins={purchase.coins} hasSign />
              <RandAmount amountCents={purchase.amountCents} className="min-w-14 text-right" />
            </>
          )}
        </CollapsibleList>
      )}
    </section>
  );
}

/** The latest opened race cards. */
export function RecentlyUnlocked({
  profile,
  shownCount,
}: {
  profile: Profile;
  shownCount: number;
}) {
  const { openedRaceCards } = profile;
  return (
    <section aria-labelledby="recently-unlocked">
      <SectionHeading
        id="recently-unlocked"
        aside={
          <>
            <Link to="/my-cards/record" className="link tap mr-4">
              How I did
            </Link>
            <Link to="/my-cards" className="link tap">
              All my cards
            </Link>
          </>
        }
      >
        Recently opened
      </SectionHeading>
      {openedRaceCards.length === 0 ? (
        <EmptyState compact drawing="raceCard" title="No race cards opened yet" />
      ) : (
        <CollapsibleList
          items={openedRaceCards}
          shownCount={shownCount}
          itemName={["card", "cards"]}
          itemKey={(item) => item.raceCardId}
        >
          {(raceCard) => (
            <>
              <span className="min-w-0 flex-1">
                <Link
                  to={`/race-cards/${raceCard.raceCardId}`}
                  className="tap font-semibold no-underline hover:underline hover:underline-offset-4"
                >
                  {raceCard.venueName}, <RaceDate date={raceCard.raceDate} />
                </Link>
                <span className="block text-xs text-ink-2">{raceCard.creatorName}</span>
              </span>
              <span className="text-right text-sm text-ink-2">
                {raceCard.races} {raceCard.races === 1 ? "race" : "races"}
                {raceCard.settled > 0 ? (
                  <span className="block text-xs">
                    {raceCard.won} of {raceCard.settled} won
                  </span>
                ) : null}
              </span>
            </>
          )}
        </CollapsibleList>
      )}
    </section>
  );
}

function CollapsibleList<Item>({
  items,
  shownCount,
  itemName,
  itemKey,
  children,
}: {
  items: readonly Item[];
  shownCount: number;
  /** The singular and the plural. */
  itemName: readonly [string, string];
  itemKey: (item: Item) => string;
  children: (item: Item) => React.ReactNode;
}) {
  const renderRow = (item: Item) => (
    <li key={itemKey(item)} className="flex items-center gap-4 border-b border-rule py-2">
      {children(item)}
    </li>
  );
  const collapsedItems = items.slice(shownCount);
  return (
    <>
      <ul className="mt-1">{items.slice(0, shownCount).map(renderRow)}</ul>
      {collapsedItems.length > 0 ? (
        <details>
          <summary className="link inline-flex min-h-11 items-center text-sm">
            {collapsedItems.length} more {itemName[collapsedItems.length === 1 ? 0 : 1]}
          </summary>
          <ul>{collapsedItems.map(renderRow)}</ul>
        </details>
      ) : null}
    </>
  );
}

export function LogoutButton() {
  return (
    <Form method="post" action="/logout">
      <Button type="submit" variant="secondary">
        Logout
      </Button>
    </Form>
  );
}
