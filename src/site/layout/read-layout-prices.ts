import { createPriceList, type PriceList } from "#domain/coin-packs.ts";
import { findSiteLayoutData, type Matches } from "#platform/public-meta.ts";

/** Returns the prices of today, which the site layout loaded, for the `meta` of a page; the first ones when it failed. */
export function readLayoutPrices(matches: Matches): PriceList {
  const layoutData = findSiteLayoutData(matches) as
    | { changedCents: Record<string, number> }
    | undefined;
  return createPriceList(layoutData?.changedCents);
}
