import { Children, isValidElement, type ReactNode } from "react";
import text from "#content/help/answers.mdx";
import {
  type CoinPack,
  findCheapestPack,
  type PriceList,
  raceCardCents,
} from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand } from "#domain/coins.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import { isTag, splitAtHeadings, type TextSection, toText } from "../texts/read-text.ts";

export type HelpAnswer = {
  /** The anchor. */
  id: string;
  question: string;
  paragraphs: readonly string[];
  links: readonly { to: string; label: string }[];
};

export type HelpCategory = { id: string; title: string; answers: readonly HelpAnswer[] };

/** Returns the answers of the help centre at these prices, by category. */
export function listHelpCategories(prices: PriceList): readonly HelpCategory[] {
  const { children } = text({ components: createFigures(prices) }).props;
  return splitAtHeadings(children, "h2").sections.map(({ id, title, body }) => ({
    id,
    title,
    answers: splitAtHeadings(body, "h3").sections.map(readAnswer),
  }));
}

/** What the answers may use. Without hooks, because search engines and the search read the answers as plain text. */
function createFigures({ coinPacks, guestDeal, cardCents }: PriceList) {
  const describePack = (pack: CoinPack | undefined) =>
    pack && `${pack.title} (${formatCoins(pack.amountCoins)}, ${formatRand(pack.priceCents)})`;
  const cheapestPack = findCheapestPack(coinPacks);
  const figures = {
    CardCoinCount: CARD_PRICE_COINS,
    CardCoins: formatCoins(CARD_PRICE_COINS),
    CardPriceInRand: formatRand(cardCents),
    CheapestPack: cheapestPack?.title,
    GuestDealCoins: formatCoins(guestDeal.amountCoins),
    GuestDealPrice: formatRand(guestDeal.priceCents),
    LargestPack: describePack(coinPacks.at(-1)),
    LowestCardPrice: formatRand(cheapestPack ? Math.round(raceCardCents(cheapestPack)) : 0),
    MaxRaces: MAX_RACES,
    MinSettledForLevel: MIN_SETTLED_FOR_LEVEL,
    SmallestPack: describePack(coinPacks[0]),
  };
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, () => figure]));
}

/** Reads an answer: paragraphs, then a list of links. Throws if it has anything else, which would not be shown. */
function readAnswer({ id, title, body }: TextSection): HelpAnswer {
  const paragraphs = body.filter((node) => isTag(node, "p")).map(toText);
  const links = body.filter((node) => isTag(node, "ul")).flatMap(listLinks);
  if (toText(body) !== [...paragraphs, ...links.map(({ label }) => label)].join(""))
    throw new Error(`"${title}" may have paragraphs only, and a list of links after them`);
  return { id, question: title, paragraphs, links };
}

/** Returns the links of the elements, in order. */
function listLinks(nodes: ReactNode): HelpAnswer["links"] {
  return Children.toArray(nodes).flatMap((node) => {
    if (!isValidElement<{ href?: string; children?: ReactNode }>(node)) return [];
    const { href, children } = node.props;
    return href ? [{ to: href, label: toText(children) }] : listLinks(children);
  });
}

/** The most requested answers, in order. */
export const POPULAR_ANSWERS: readonly string[] = [
  "paid-but-no-coins",
  "cannot-unlock",
  "what-opens",
  "buying-without-an-account",
  "refunds",
  "how-records-work",
];

/** Returns the answers that contain the query, ignoring case. Omits empty categories. */
export function searchHelp(query: string, categories: readonly HelpCategory[]): HelpCategory[] {
  const normalisedQuery = query.trim().toLowerCase();
  const matches = (answer: HelpAnswer) =>
    [answer.question, ...answer.paragraphs].some((text) =>
      text.toLowerCase().includes(normalisedQuery),
    );
  return categories
    .map((category) => ({ ...category, answers: category.answers.filter(matches) }))
    .filter((category) => category.answers.length > 0);
}

export function findAnswer(
  id: string,
  categories: readonly HelpCategory[],
): HelpAnswer | undefined {
  return categories.flatMap((category) => category.answers).find((each) => each.id === id);
}
