import { createContext, use } from "react";
import { createPriceList, formatCardPrice, type PriceList } from "#domain/coin-packs.ts";

/** The prices of today, set by the site layout. */
export const PricesContext = createContext<PriceList>(createPriceList());

/** Returns the prices of today. */
export function usePrices(): PriceList {
  return use(PricesContext);
}

/** The price of a race card today, in coins and in rand: '4 coins · R40'. */
export function CardPrice() {
  return formatCardPrice(usePrices());
}
