import { createPriceList, type PriceList } from "#domain/coin-packs.ts";

const SITE_LAYOUT_ROUTE = "site-layout";

/** Returns the prices of today, which the site layout loaded, for the `meta` of a page; the first ones when it failed. */
export function readLayoutPrices(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): PriceList {
  const layout = matches.find((match) => match?.id === SITE_LAYOUT_ROUTE);
  const layoutData = layout?.loaderData as { changedCents: Record<string, number> } | undefined;
  return createPriceList(layoutData?.changedCents);
}
