import { formatDate } from "#domain/calendar.ts";
import { CoinAmount } from "#ui/coin-amount.tsx";
import { Panel } from "#ui/panel.tsx";
import { RandAmount } from "#ui/rand-amount.tsx";
import { formatRaceCardName } from "./requested-race-card.ts";
import type { OrderSummary } from "./resolve-checkout.server.ts";

/** Shows an order without a payment. `isOver` hides the receipt, because none will be sent. */
export function OrderDetails({ order, isOver = false }: { order: OrderSummary; isOver?: boolean }) {
  const { coinPackTitle, amountCents, coins, raceCard, receiptTo } = order;
  return (
    <Panel title="Your order" className="mt-3 text-ink">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2 [&>dd]:text-right [&>dt]:text-ink-2">
        <dt>Coin pack</dt>
        <dd className="font-semibold">{coinPackTitle}</dd>
        <dt>Amount</dt>
        <dd>
          <RandAmount amountCents={amountCents} />
        </dd>
        <dt>Coins</dt>
        <dd>
          <CoinAmount amountCoins={coins} />
        </dd>
        {raceCard ? (
          <>
            <dt>Race card</dt>
            <dd>
              {formatRaceCardName(raceCard)}, {formatDate(raceCard.raceDate, "short")}
            </dd>
          </>
        ) : null}
        {receiptTo && !isOver ? (
          <>
            <dt>Receipt will be sent to</dt>
            <dd className="break-all">{receiptTo}</dd>
          </>
        ) : null}
      </dl>
    </Panel>
  );
}
