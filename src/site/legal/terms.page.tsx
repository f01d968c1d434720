import { COMMISSION_CENTS, formatRand } from "#domain/coins.ts";
import { SETTLED_FOR_LEVEL } from "#domain/record.ts";
import { MAX_RACES } from "#domain/tip.ts";
import { TextLink } from "#ui/text-link.tsx";
import { publicMeta } from "../public-meta.ts";
import { type Information, useInformation } from "../use-information.ts";
import type { Route } from "./+types/terms.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Tipster terms",
    description:
      "Terms & Conditions for tipsters and analysts on Furlong: submitting tips, 70 % commission, payouts on the 15th, conduct and termination.",
    path: "/terms",
  });
}

export default function TipsterTerms() {
  const commission = formatRand(COMMISSION_CENTS);
  return (
    <LegalDocument
      title="Tipster Terms & Conditions"
      lead="For everyone who publishes tips on Furlong, tipsters and analysts alike. If you only buy, the terms of service are the ones for you."
      inForceFrom="2026-11-20"
      inShort={
        <>
          <p>
            Publish at least two hours before the race, mark your results honestly, and each card
            sold earns you 70 %: {commission} of R40, paid by bank transfer on the 15th once R100 is
            payable.
          </p>
          <p>A published tip never changes and never disappears. That is what buyers pay for.</p>
        </>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ company, supportEmail }: Information): LegalSection[] {
  const commission = formatRand(COMMISSION_CENTS);
  return [
    {
      id: "eligibility",
      title: "Eligibility",
      body: (
        <>
          <p>
            You are 18 or older, apply in your own name, and have a South African bank account to be
            paid into. Anyone may apply; we approve those whose application convinces us, and may
            decline without giving reasons. Analysts join by our invitation.
          </p>
          <p>
            You publish under a display name that nobody else has. It may not pretend to be another
            person, a publication or an official of racing.
          </p>
          <p>
            People whose job forbids them to tip (stewards and racing officials, for example) may
            not publish. If you own, train, ride or otherwise have an interest in a runner you tip,
            say so in the analysis.
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
            <strong>Submit tips at least 2 hours before the race.</strong> Buyers need time to find,
            read and use them. A race whose off has passed is refused by the system.
          </li>
          <li>
            Tips are published as a race card: one track, one day, up to {MAX_RACES} races, each
            with horse number and name, win, place or each-way, your confidence, and an analysis in
            your own words. Cards can be published up to 14 days ahead.
          </li>
          <li>
            A tip for a race without any known off time counts in your record only if it was
            published before 11:00 on its day. A late one is marked so.
          </li>
          <li>
            <strong>A published tip does not change.</strong> You may add races to a card; those who
            have opened it see them at no charge. You cannot edit or take back what is there, and
            the time of publishing is shown.
          </li>
          <li>We recommend at least 2 tips a week, so that your followers know you are alive.</li>
          <li>
            From midnight after the race day your selections and results are public. Your analysis
            stays with those who paid.
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
            Each time somebody opens one of your cards, you earn <strong>70 %</strong> of the R40
            that four coins stand for: <strong>{commission}</strong>, whether the card has one race
            or {MAX_RACES}, and whatever the buyer paid for the coins. We keep 30 % for payment
            costs, the site and support.
          </p>
          <ul>
            <li>
              An earning becomes payable 14 days after the sale. Until then it is reversed if the
              purchase behind it is refunded or lost to a bank dispute. While a dispute is open, the
              earnings concerned are held.
            </li>
            <li>
              When a whole card is declared void, its buyers get their coins back and the earnings
              on it are reversed.
            </li>
            <li>
              When someone who came with welcome coins opens a second card of yours within 30 days,
              that earning waits until a person here has looked at it.
            </li>
            <li>You cannot buy your own cards, and may not have others buy them for you.</li>
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
            Mark each tip won or lost once the race is official. “Won” means first for a win tip,
            and placed for a place or each-way tip. You can mark a tip once, after the off; if you
            get it wrong, tell us, and we correct it. Non-runners and abandoned races are declared
            void by us and count nowhere. A tip you leave unmarked for three days is shown as
            unmarked.
          </p>
          <p>
            Your win rate, sales and tips are worked out from what is recorded and shown as they
            are. A level appears from {SETTLED_FOR_LEVEL} settled tips on. Nobody, ourselves
            included, can buy or adjust a record.
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
          <li>Be civil, about horses, jockeys, trainers, rivals and punters who disagree.</li>
          <li>
            Promise nothing. No “sure thing”, “banker” or “guaranteed winner”, and nothing that
            pushes people to bet more than they can afford.
          </li>
          <li>Do not encourage anyone under 18 to bet, and don't aim what you write at them.</li>
          <li>Keep your password to yourself, and tell us when somebody else may have it.</li>
        </ul>
      ),
    },
    {
      id: "prohibited-activities",
      title: "Prohibited activities",
      body: (
        <ul>
          <li>
            marking a result that did not happen, or leaving losers unmarked to flatter a record;
          </li>
          <li>copying other people's tips or analysis;</li>
          <li>
            tipping on information you are not allowed to use, or being paid by anybody to tip a
            horse;
          </li>
          <li>
            buying your own cards, alone or through others, or trading sales with other tipsters;
          </li>
          <li>
            leading buyers away from Furlong to pay you elsewhere, or selling the same analysis here
            and giving it away there before the race;
          </li>
          <li>running more than one tipster account;</li>
          <li>anything unlawful, and photos or words that are not yours to use.</li>
        </ul>
      ),
    },
    {
      id: "payment-terms",
      title: "Payment terms",
      body: (
        <ul>
          <li>
            <strong>Minimum payout R100.</strong> Less is carried forward to the next month and
            never lapses.
          </li>
          <li>
            <strong>Paid monthly on the 15th by bank transfer</strong>, to the account you entered
            on your dashboard. You may also request a payout there as soon as R100 is payable. One
            payout is open at a time; you see whether it is requested, processing or paid.
          </li>
          <li>
            Changing bank details asks for your password, is confirmed to you by e-mail, and is
            followed by 72 hours without payouts. That is for your protection.
          </li>
          <li>
            You work for yourself, not for us. Income tax on what you earn, and VAT if you are
            registered, are your own affair; your dashboard lists what you have earned and been
            paid.
          </li>
          <li>
            If you think an amount is wrong, tell us within 60 days of the payout so that both of us
            can still find out.
          </li>
        </ul>
      ),
    },
    {
      id: "termination",
      title: "Termination",
      body: (
        <>
          <p>
            You may stop whenever you like. We may end the arrangement with 14 days' notice for any
            reason, and suspend or end it at once for a breach of these terms.{" "}
            <strong>Tipsters inactive for 30 days or more may be terminated</strong>; we write
            first.
          </p>
          <p>
            A suspended tipster's cards leave sale. Cards already sold stay open to their buyers,
            and the record of published tips stays public. Earnings from honest sales remain yours
            and are paid by the rules of section 7. Earnings that came of breaking these terms are
            held back, and the buyers they came from are refunded.
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
          show it on Furlong and in mails to those who may read it. The right is not exclusive and
          costs us nothing beyond your share; for cards already published it lasts after you leave,
          so that buyers keep what they paid for and the record stays whole.
        </p>
      ),
    },
    {
      id: "disclaimer",
      title: "Disclaimer",
      body: (
        <p>
          We do not promise sales, income or that the site is never down. We do not check tips
          before they are published. What you publish is your opinion and your responsibility; if a
          third party claims that it infringes their rights, you stand in for it. Nothing here
          limits liability that the law does not allow to be limited.
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
          <TextLink to="/privacy">privacy policy</TextLink>. Changes are announced by e-mail at
          least 14 days before they take effect; a change to your share never touches sales already
          made. South African law applies.
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
