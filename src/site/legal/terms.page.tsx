import { describeCutOff } from "#domain/batch.ts";
import { calculateEarningOfCoins } from "#domain/coin-return.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand } from "#domain/coins.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { MIN_SETTLED_FOR_LEVEL } from "#domain/track-record.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";
import type { Route } from "./+types/terms.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Tipster terms",
    description:
      "Terms & Conditions for tipsters and analysts on Furlong: submitting tips, commission, payouts on the 15th, conduct and termination.",
    path: "/terms",
  });
}

export default function TipsterTerms() {
  const information = useInformation();
  const { earningCents, priceCents, sharePercent } = information.saleTerms;
  return (
    <LegalDocument
      title="Tipster Terms & Conditions"
      lead="For everyone who publishes tips on Furlong. If you only buy, read the terms of service."
      inForceFrom="2026-11-20"
      summary={
        <>
          <p>
            A race closes for tips {describeCutOff(information.tipCutOffMinutes)}. Mark your results
            honestly. You earn {sharePercent}%: {formatRand(earningCents)} of{" "}
            {formatRand(priceCents)} each time someone opens one of your race cards, paid by bank
            transfer on the 15th once R100 is payable.
          </p>
          <p>You can't change or remove a published tip.</p>
        </>
      }
      sections={sections(information)}
    />
  );
}

function sections({
  company,
  supportEmail,
  saleTerms,
  tipCutOffMinutes,
}: Information): LegalSection[] {
  const { earningCents, priceCents, sharePercent } = saleTerms;
  return [
    {
      id: "eligibility",
      title: "Eligibility",
      body: (
        <>
          <p>
            You must be 18 or older, apply in your own name and have a South African bank account.
            Anyone may apply. We may decline an application without giving a reason. Analysts join
            by invitation.
          </p>
          <p>
            You publish under a display name that no one else has. It must not impersonate another
            person, a publication or a racing official.
          </p>
          <p>
            People whose job bars them from tipping, such as stewards and racing officials, may not
            publish. If you own, train, ride or have any other interest in a horse you tip, say so
            in the analysis.
          </p>
        </>
      ),
    },
    {
      id: "tip-submission",
      title: "Tip submission",
      body: (
        <ul>
          <li>
            <strong>A race closes for tips {describeCutOff(tipCutOffMinutes)}.</strong> Buyers need
            time to find, read and use them. While no off is reported, you can tip a race until its
            off.
          </li>
          <li>
            Tips are published as a race card: one track, one day, up to {MAX_RACES} races, each
            with the horse's number and name, the tip type (win, place or each way), your
            confidence, and an analysis in your own words. Race cards can be published up to 14 days
            ahead.
          </li>
          <li>
            A tip for a race without any known off time counts in your record only if it was
            published before 11:00 on its day, or 120 minutes before an off that becomes known
            later. Other tips are marked as late.
          </li>
          <li>
            <strong>A published tip does not change.</strong> You may add races to a race card;
            people who have opened it see them at no extra cost. You can't edit or remove tips, and
            we show when they were published.
          </li>
          <li>We recommend at least 2 tips a week, so that buyers see you are active.</li>
          <li>
            Your selection for a race and its result are public once the official result is
            confirmed, at midnight after the race day at the latest. Only buyers can read your
            analysis.
          </li>
        </ul>
      ),
    },
    {
      id: "revenue-sharing",
      title: "Revenue sharing",
      body: (
        <>
          <p>
            Each time someone opens one of your race cards, you earn{" "}
            <strong>{sharePercent}%</strong> of {formatRand(priceCents)}, the full price of{" "}
            {formatCoins(CARD_PRICE_COINS)}: <strong>{formatRand(earningCents)}</strong>, whether
            the race card has one race or {MAX_RACES}, and whatever the buyer paid for the coins. We
            keep {100 - sharePercent}% for payment costs, the site and support.
          </p>
          <ul>
            <li>
              An earning becomes payable 14 days after the sale, but not before the day after the
              race date. Until we send it to the bank, it is reduced or reversed if the payment for
              it is refunded or lost to a bank dispute, and restored if the buyer pays for it after
              all. While a dispute is open, the earnings concerned are held.
            </li>
            <li>
              When races on a race card are declared void, its buyers get their share of the coins
              back, and your earning falls by {formatRand(calculateEarningOfCoins(earningCents, 1))}{" "}
              for each coin. If all coins are returned, the earning is reversed. All are returned
              too for a race card that was sold after its last race, because its off time reached us
              later. Earnings that are part of a payout don't change. If we correct the result or
              the time later, your earning is restored.
            </li>
            <li>
              When someone who came with welcome coins opens another of your race cards within 30
              days, we review that sale before we pay it.
            </li>
            <li>You can't buy your own race cards or have others buy them for you.</li>
          </ul>
        </>
      ),
    },
    {
      id: "performance",
      title: "Performance",
      body: (
        <>
          <p>
            Mark each tip won or lost once the race is official. "Won" means first for a win tip,
            and placed for a place or each-way tip. You can mark a tip once, after the off. If you
            get it wrong, tell us and we will correct it. We declare non-runners and abandoned races
            void, and they don't count. A tip you haven't marked after three days is shown as
            unmarked.
          </p>
          <p>
            Your win rate, sales and tips are worked out from what is recorded and shown as they
            are. You get a level after {MIN_SETTLED_FOR_LEVEL} settled tips. A record can't be
            bought. We change a result only to correct it, and log every correction.
          </p>
        </>
      ),
    },
    {
      id: "conduct",
      title: "Conduct",
      body: (
        <ul>
          <li>Give your honest opinion, and write the analysis yourself.</li>
          <li>Be civil about horses, jockeys, trainers, other tipsters and punters.</li>
          <li>
            Don't promise winners. Don't write "sure thing", "banker" or "guaranteed winner", or
            anything that pushes people to bet more than they can afford.
          </li>
          <li>Don't encourage anyone under 18 to bet, and don't write for them.</li>
          <li>Keep your password to yourself, and tell us if someone else may have it.</li>
        </ul>
      ),
    },
    {
      id: "prohibited-activities",
      title: "Prohibited activities",
      body: (
        <ul>
          <li>entering a false result, or leaving losers unmarked to flatter a record;</li>
          <li>copying other people's tips or analysis;</li>
          <li>
            tipping on information you are not allowed to use, or being paid by anyone to tip a
            horse;
          </li>
          <li>
            buying your own race cards, alone or through others, or trading sales with other
            tipsters;
          </li>
          <li>
            directing buyers to pay you outside Furlong, or giving away elsewhere, before the race,
            analysis you sell here;
          </li>
          <li>running more than one tipster account;</li>
          <li>anything unlawful, and using photos or text that are not yours to use.</li>
        </ul>
      ),
    },
    {
      id: "payment-terms",
      title: "Payment terms",
      body: (
        <ul>
          <li>
            <strong>Minimum payout R100.</strong> Smaller amounts carry forward to the next month
            and never expire.
          </li>
          <li>
            <strong>Paid monthly on the 15th by bank transfer</strong>, to the account you entered
            on your dashboard. You may also request a payout there as soon as R100 is payable. Only
            one payout can be in progress; you see whether it is requested, processing or paid.
          </li>
          <li>
            To change your bank details you need your password. We email you, and we don't pay out
            for 72 hours, to protect you.
          </li>
          <li>
            You are independent, not our employee. You are responsible for income tax on your
            earnings, and for VAT if you are registered. Your dashboard lists your earnings and
            payouts.
          </li>
          <li>If you think an amount is wrong, tell us within 60 days of the payout.</li>
        </ul>
      ),
    },
    {
      id: "termination",
      title: "Termination",
      body: (
        <>
          <p>
            You may stop whenever you like. We may end this agreement with 14 days' notice for any
            reason, and suspend or end it immediately for a breach of these terms.{" "}
            <strong>
              We may close the accounts of tipsters who are inactive for 30 days or more.
            </strong>{" "}
            We email you first.
          </p>
          <p>
            If we suspend you, your race cards go off sale and you leave the rankings. Your public
            record stays, marked as suspended. Buyers keep the race cards they have opened. Earnings
            from honest sales remain yours and are paid as section 7 says. We withhold earnings from
            sales that broke these terms and refund the buyers.
          </p>
        </>
      ),
    },
    {
      id: "intellectual-property",
      title: "Intellectual property",
      body: (
        <p>
          What you write stays yours. You give {company.name} the right to publish, sell, store and
          show it on Furlong and in emails to those who may read it. This right is not exclusive,
          and your share is the only payment for it. For published race cards it continues after you
          leave, so that buyers keep what they paid for and the record stays complete.
        </p>
      ),
    },
    {
      id: "disclaimer",
      title: "Disclaimer",
      body: (
        <p>
          We don't promise sales or income, or that the site is always available. We don't check
          tips before they are published. What you publish is your opinion and your responsibility;
          if someone claims that it infringes their rights, you are responsible. Nothing here limits
          liability that the law does not allow to be limited.
        </p>
      ),
    },
    {
      id: "agreement",
      title: "Agreement",
      body: (
        <p>
          By applying, accepting an invitation or publishing a tip you agree to these terms, to the{" "}
          <TextLink to="/terms-of-service">terms of service</TextLink> and the{" "}
          <TextLink to="/privacy">privacy policy</TextLink>. We announce changes by email at least
          14 days before they take effect; a change to your share never affects past sales. South
          African law applies.
        </p>
      ),
    },
    {
      id: "contact",
      title: "Contact",
      body: (
        <p>
          {[company.name, company.address].filter(Boolean).join(", ")}. Questions about your
          application, record or payout go to{" "}
          <a className="link" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
          .
        </p>
      ),
    },
  ];
}
