import type { ReactNode } from "react";
import { describeCutOff } from "#domain/batch.ts";
import { calculateEarningOfCoins } from "#domain/coin-return.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand, WELCOME_COINS } from "#domain/coins.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL, MIN_SETTLED_FOR_RANK } from "#domain/track-record.ts";
import { usePrices } from "#ui/prices.ts";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";

/** A link in a text of `content`. */
function LinkInText({ href, children }: { href: string; children: ReactNode }) {
  if (href.startsWith("/")) return <TextLink to={href}>{children}</TextLink>;
  return (
    <a
      className={href.startsWith("mailto:") ? "link break-words" : "link"}
      href={href}
      rel={href.startsWith("http") ? "noreferrer" : undefined}
    >
      {children}
    </a>
  );
}

/** A link whose text is its URL without protocol and trailing slash. */
function UrlLink({ url }: { url: string }) {
  return <LinkInText href={url}>{url.replace(/^https?:\/\//, "").replace(/\/$/, "")}</LinkInText>;
}

/** Its children, if the company has stated this fact. */
function IfKnown({ what, children }: { what: keyof Information["company"]; children: ReactNode }) {
  return useInformation().company[what] ? children : null;
}

/** What the texts of `content` may use: links, and the figures and facts that are settings or prices. */
export const FIGURES = {
  a: LinkInText,
  CardCoins: () => formatCoins(CARD_PRICE_COINS),
  CompanyAddress: () => useInformation().company.address,
  CompanyName: () => useInformation().company.name,
  CompanyOfficers: () => useInformation().company.officers,
  CompanyRegistration: () => useInformation().company.registration,
  CompanyTelephone: () => useInformation().company.telephone,
  EarningPerCoin: () =>
    formatRand(calculateEarningOfCoins(useInformation().saleTerms.earningCents, 1)),
  FullCardPrice: () => formatRand(useInformation().saleTerms.priceCents),
  GuestDealCoins: () => formatCoins(usePrices().guestDeal.amountCoins),
  GuestDealPrice: () => formatRand(usePrices().guestDeal.priceCents),
  HousePercent: () => `${100 - useInformation().saleTerms.sharePercent}%`,
  IfKnown,
  MaxRaces: () => MAX_RACES,
  MinSettledForLevel: () => MIN_SETTLED_FOR_LEVEL,
  MinSettledForRank: () => MIN_SETTLED_FOR_RANK,
  ProviderCookiePolicy: () => <UrlLink url={useInformation().provider.cookiesUrl} />,
  ProviderName: () => useInformation().provider.name,
  ProviderPrivacyPolicy: () => <UrlLink url={useInformation().provider.privacyUrl} />,
  SiteAddress: () => useInformation().appUrl,
  SupportEmail: () => {
    const { supportEmail } = useInformation();
    return <LinkInText href={`mailto:${supportEmail}`}>{supportEmail}</LinkInText>;
  },
  TipCutOff: () => describeCutOff(useInformation().tipCutOffMinutes),
  TipsterEarning: () => formatRand(useInformation().saleTerms.earningCents),
  TipsterPercent: () => `${useInformation().saleTerms.sharePercent}%`,
  WelcomeCoins: () => formatCoins(WELCOME_COINS),
};
