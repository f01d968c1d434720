import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CoinEvent, calculateCoinPosition, countLostCoins } from "./lost-coins.ts";

const received = (coins: number, lostCoins = 0): CoinEvent => ({
  kind: "received",
  coins,
  lostCoins,
});
const sale = (saleId: number, coins = 4): CoinEvent => ({ kind: "sale", saleId, coins });

function settle(events: readonly CoinEvent[]) {
  const { walletCoins, lackingCoins } = calculateCoinPosition(events);
  return { walletCoins, lacking: Object.fromEntries(lackingCoins) };
}

describe("the position after lost coins", () => {
  it.each<[string, CoinEvent[], ReturnType<typeof settle>]>([
    ["nothing lost", [received(4), sale(1), received(8)], { walletCoins: 8, lacking: {} }],
    [
      "four packs, a card after each, all payments lost",
      [1, 2, 3, 4].flatMap((saleId) => [received(4, 4), sale(saleId)]),
      { walletCoins: 0, lacking: { 1: 4, 2: 4, 3: 4, 4: 4 } },
    ],
    [
      "a guest deal with one card, lost",
      [received(4, 4), received(4, 4), sale(1)],
      { walletCoins: 0, lacking: { 1: 4 } },
    ],
    [
      "a guest deal with two cards, lost",
      [received(4, 4), received(4, 4), sale(1), sale(2)],
      { walletCoins: 0, lacking: { 1: 4, 2: 4 } },
    ],
    [
      "a card opened with the coins of a void card",
      [received(4, 4), sale(1, 0), sale(2)],
      { walletCoins: 0, lacking: { 2: 4 } },
    ],
    [
      "unspent coins refunded, then the rest lost after a new purchase",
      [received(8, 8), sale(1), received(4), sale(2)],
      { walletCoins: 0, lacking: { 1: 4 } },
    ],
    [
      "a granted coin pays for a part",
      [received(1), received(4, 4), sale(1), received(4), sale(2)],
      { walletCoins: 0, lacking: { 1: 3 } },
    ],
    [
      "unspent coins of a later purchase repay",
      [received(4, 4), sale(1), received(4)],
      { walletCoins: 0, lacking: {} },
    ],
    [
      "two later purchases: the first one repays",
      [received(4, 4), sale(1), received(4), received(4)],
      { walletCoins: 4, lacking: {} },
    ],
    [
      "the oldest sale is repaid first",
      [received(8, 8), sale(1), sale(2), received(5)],
      { walletCoins: 0, lacking: { 2: 3 } },
    ],
    [
      "one coin returned for a void race",
      [received(8, 8), sale(1, 3)],
      { walletCoins: 0, lacking: { 1: 3 } },
    ],
  ])("%s", (_, events, expected) => {
    expect(settle(events)).toEqual(expected);
  });

  it.each([
    [12, 0, 10_000, 3333, { coins: 4, welcomeCoins: 0 }],
    [4, 4, 4000, 3999, { coins: 4, welcomeCoins: 0 }],
    [4, 4, 4000, 4000, { coins: 4, welcomeCoins: 4 }],
    [4, 0, 4000, 499, { coins: 0, welcomeCoins: 0 }],
    [4, 0, 4000, 500, { coins: 1, welcomeCoins: 0 }],
  ])(
    "%i coins and %i welcome coins for %i cents, of which %i are lost",
    (coins, welcomeCoins, amountCents, lostCents, expected) => {
      expect(countLostCoins({ coins, welcomeCoins, amountCents }, lostCents)).toEqual(expected);
    },
  );
});

/** Moves single coins: each coin of a sale is looked for among the single coins that came before it, then after it. */
function settleCoinByCoin(events: readonly CoinEvent[]) {
  const coins: { receivedAt: number }[] = [];
  const needs: { saleId: number; soldAt: number }[] = [];
  for (const [at, event] of events.entries()) {
    if (event.kind === "received")
      for (let i = event.lostCoins; i < event.coins; i++) coins.push({ receivedAt: at });
    else for (let i = 0; i < event.coins; i++) needs.push({ saleId: event.saleId, soldAt: at });
  }
  const takeCoin = (isUsable: (receivedAt: number) => boolean) => {
    const index = coins.findIndex(({ receivedAt }) => isUsable(receivedAt));
    return index !== -1 && coins.splice(index, 1).length === 1;
  };
  const unpaid = needs.filter(({ soldAt }) => !takeCoin((receivedAt) => receivedAt < soldAt));
  const lacking: Record<number, number> = {};
  for (const { saleId } of unpaid.filter(() => !takeCoin(() => true)))
    lacking[saleId] = (lacking[saleId] ?? 0) + 1;
  return { walletCoins: coins.length, lacking };
}

/** Histories in which each sale could be paid for when it was made. */
const histories = fc
  .array(
    fc.oneof(
      fc.record({ coins: fc.integer({ min: 1, max: 12 }), lost: fc.integer({ min: 0, max: 12 }) }),
      fc.record({ returned: fc.integer({ min: 0, max: 4 }) }),
    ),
    { maxLength: 25 },
  )
  .map((steps) => {
    let balance = 0;
    return steps.flatMap((step, index): CoinEvent[] => {
      if ("coins" in step) {
        balance += step.coins;
        return [received(step.coins, Math.min(step.lost, step.coins))];
      }
      if (balance < 4) return [];
      balance -= 4 - step.returned;
      return [sale(index, 4 - step.returned)];
    });
  });

const sum = (numbers: Iterable<number>) =>
  [...numbers].reduce((total, number) => total + number, 0);

describe("the position after any history", () => {
  it("is that of moving single coins", () => {
    fc.assert(
      fc.property(histories, (events) => {
        expect(settle(events)).toEqual(settleCoinByCoin(events));
      }),
      { numRuns: 500 },
    );
  });

  it("has every coin once, and owes nothing while it has coins", () => {
    fc.assert(
      fc.property(histories, (events) => {
        const { walletCoins, lackingCoins } = calculateCoinPosition(events);
        const keptCoins = sum(
          events.map((event) => (event.kind === "received" ? event.coins - event.lostCoins : 0)),
        );
        const costCoins = sum(events.map((event) => (event.kind === "sale" ? event.coins : 0)));
        const owedCoins = sum(lackingCoins.values());
        expect(walletCoins + costCoins - owedCoins).toBe(keptCoins);
        expect(Math.min(walletCoins, owedCoins)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it("takes nothing from sales when nothing is lost, and never less when more is lost", () => {
    fc.assert(
      fc.property(histories, fc.nat(), (events, at) => {
        const restored = events.map(
          (event): CoinEvent => (event.kind === "received" ? { ...event, lostCoins: 0 } : event),
        );
        expect(settle(restored).lacking).toEqual({});
        const moreLost = events.map(
          (event, index): CoinEvent =>
            event.kind === "received" && index === at % events.length
              ? { ...event, lostCoins: event.coins }
              : event,
        );
        const more = calculateCoinPosition(moreLost).lackingCoins;
        const before = calculateCoinPosition(events).lackingCoins;
        expect(sum(more.values())).toBeGreaterThanOrEqual(sum(before.values()));
      }),
      { numRuns: 500 },
    );
  });
});
