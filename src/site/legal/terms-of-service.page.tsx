import type { PriceList } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand, WELCOME_COINS } from "#domain/coins.ts";
import { publicMeta } from "#platform/public-meta.ts";
import { usePrices } from "#ui/prices.ts";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";
import type { Route } from "./+types/terms-of-service.page.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Terms of service",
    description:
      "The agreement between you and Furlong: accounts, coins, race cards, payment, refunds and what happens when something goes wrong.",
    path: "/terms-of-service",
  });
}

export default function TermsOfService() {
  return (
    <LegalDocument
      title="Terms of service"
      lead="The agreement between you and us when you use Furlong, create an account, buy coins or open a race card. Tipsters also have their own terms."
      inForceFrom="2026-11-20"
      summary={
        <>
          <p>
            You must be 18 or older. You buy coins in rand and use {formatCoins(CARD_PRICE_COINS)}{" "}
            to open a race card. A race card is opinion, not a promise. You can read it for as long
            as you have an account. We don't take bets.
          </p>
          <p>
            Purchases are final, except where the law gives you a right to cancel. Section 4
            explains these rights and how to use them.
          </p>
        </>
      }
      sections={sections(useInformation(), usePrices())}
    />
  );
}

function sections(
  { company, supportEmail, appUrl, provider }: Information,
  { coinPacks, guestDeal }: PriceList,
): LegalSection[] {
  const contactLink = (
    <a className="link" href={`mailto:${supportEmail}`}>
      {supportEmail}
    </a>
  );
  return [
    {
      id: "who-we-are",
      title: "Who we are",
      body: (
        <>
          <p>
            Furlong is run by <strong>{company.name}</strong>
            {company.registration
              ? `, registered in South Africa under number ${company.registration}`
              : ""}
            {company.address
              ? `, at ${company.address}, which is also our address for legal notices`
              : ""}
            .{company.officers ? ` Office bearers: ${company.officers}.` : ""} Contact us at{" "}
            {contactLink}
            {company.telephone ? `, telephone ${company.telephone}` : ""}. This site is {appUrl}. In
            these terms, "we" means that company and "you" means anyone who uses the site.
          </p>
          <p>
            By creating an account or buying coins you agree to these terms and to the{" "}
            <TextLink to="/privacy">privacy policy</TextLink>. We record when you did. You can read,
            save and print this page at any time.
          </p>
        </>
      ),
    },
    {
      id: "eligibility-and-account",
      title: "You and your account",
      body: (
        <>
          <p>
            You must be <strong>18 years or older</strong>. You confirm this when you create an
            account or buy as a guest. We may ask for proof.
          </p>
          <ul>
            <li>
              One account per email address. Use your own name and an email address you check.
            </li>
            <li>
              Keep your password private. You are responsible for what is done with your account
              until you tell us that someone else has your password.
            </li>
            <li>
              An account is for one person. Don't sell it, lend it or share what you have opened.
            </li>
            <li>
              You can change your name, email address and password, log out everywhere, download
              your data and delete the account from your profile at any time.
            </li>
          </ul>
        </>
      ),
    },
    {
      id: "coins-and-prices",
      title: "Coins, prices and payment",
      body: (
        <>
          <p>
            Race cards are paid for in coins, and coins are bought with rand. There are no
            subscriptions: we only charge you when you choose to pay. Prices are in South African
            rand, are the whole price, and include VAT where VAT is due. Today's packs:
          </p>
          <ul>
            {coinPacks.map((pack) => (
              <li key={pack.id}>
                {pack.title}: {formatCoins(pack.amountCoins)} for {formatRand(pack.priceCents)}
              </li>
            ))}
          </ul>
          <p>
            You pay on the page of our payment provider, {provider.name}. Your card or bank details
            go to {provider.name} and never to us. You see the pack, the coins and the price before
            you pay, and can cancel until then. We add your coins when the payment is confirmed,
            usually within seconds, and email you a receipt. If the payment isn't confirmed, you
            don't get coins.
          </p>
          <p>
            <strong>Coins never expire.</strong> You can only use them to open race cards here. They
            are not money, earn no interest, cannot be moved to another account and cannot be
            exchanged for rand, except as section 4 says and where the law gives you a right to a
            refund. If you delete your account, we refund the coins you bought and didn't spend at
            the price you paid, the way you paid. Coins you got free of charge lapse. If a refund
            can't reach you, the claim code we give you adds the same coins to another account
            within three years. We tell you the amounts before you confirm.
          </p>
          <p>
            We may change prices for future purchases. A race card costs{" "}
            {formatCoins(CARD_PRICE_COINS)}. If we ever change that, we will tell you in advance as
            section 10 says.
          </p>
          <h3>The guest deal</h3>
          <p>
            If you don't have an account, you can open one locked race card for{" "}
            {formatRand(guestDeal.priceCents)}. The payment creates the account and adds{" "}
            {formatCoins(guestDeal.amountCoins)}; {formatCoins(WELCOME_COINS)} more, the welcome
            coins, pay for the race card. Welcome coins are given{" "}
            <strong>once per email address and once per payment card</strong>. If either has had
            them before, or we can't recognise the payment card, the coins you bought pay for the
            race card. If the race day is over when the payment arrives, we add the coins to your
            account instead.
          </p>
        </>
      ),
    },
    {
      id: "refunds",
      title: "Refunds and cancelling",
      body: (
        <>
          <p>
            <strong>All purchases are final and non-refundable</strong>, except where the law gives
            you a right that these terms can't take away. We don't refund losing tips. Your main
            rights are:
          </p>
          <ul>
            <li>
              <strong>Cooling-off.</strong> Where section 44 of the Electronic Communications and
              Transactions Act 25 of 2002 applies to a purchase, you may cancel it within seven
              days, without giving a reason and without penalty. Choose Cancel beside the purchase
              on your profile, or email {contactLink}. We refund what you paid for the coins that
              you haven't spent, the way you paid, within 30 days, and remove those coins from your
              wallet.
            </li>
            <li>
              <strong>What has been used.</strong> A race card is delivered in full when you open
              it. By opening it you agree that the service begins immediately, so the cooling-off
              right doesn't apply to the coins you spent on it.
            </li>
            <li>
              <strong>What you paid for and did not get.</strong> The Consumer Protection Act 68 of
              2008 entitles you to services of the quality you may expect, and to be charged no more
              than was agreed. If you were charged twice, didn't receive your coins or couldn't open
              what you paid for, we will put it right as that Act requires.
            </li>
            <li>
              <strong>Void races and abandoned meetings.</strong> If races on a race card you opened
              are declared void (non-runners, abandoned races), their share of the{" "}
              {formatCoins(CARD_PRICE_COINS)} is returned to your wallet automatically, rounded up
              to whole coins. If every race is void, all {formatCoins(CARD_PRICE_COINS)} are
              returned. They are too if you opened a race card after its last race, because its off
              time reached us later. If a result or a time is corrected later, you keep the coins.
            </li>
          </ul>
          <h3>How a refund or dispute affects your coins</h3>
          <p>
            When we refund a purchase we remove its coins from your wallet. If you have already
            spent some, you owe us those coins: you can't open new race cards until your next
            purchase repays them, and we tell you before you pay. Race cards you have opened stay
            open.
          </p>
          <p>
            If you dispute a payment with your bank, you can't open race cards or buy coins until
            the bank decides. If the bank decides in your favour, we remove the coins as for a
            refund. If not, nothing changes. It is usually quicker to contact us first.
          </p>
        </>
      ),
    },
    {
      id: "race-cards",
      title: "Race cards",
      body: (
        <>
          <p>
            A race card is all the tips one tipster has published for one track on one day: from 1
            to 12. Opening it costs {formatCoins(CARD_PRICE_COINS)}, once, and shows every selection
            with its type, the tipster's confidence and the analysis.
          </p>
          <ul>
            <li>
              If the tipster adds tips to the race card later, you see them at no extra cost. You
              pay for what is on the race card when you open it; the tipster decides whether to add
              more.
            </li>
            <li>
              A race card you open stays in your account until you delete the account, even if it
              goes off sale or the tipster leaves.
            </li>
            <li>
              A race card goes off sale when its last race starts, or at 18:00 on the day if no time
              is known. If some races have been run, we tell you how many and ask before you pay.
            </li>
            <li>
              Once the official result of a race is confirmed, at midnight after the race day at the
              latest, the selections for it, their results and when they were published become
              public, winners and losers alike. Only buyers can read the analysis.
            </li>
            <li>
              What you open is for your own use. Don't publish it, sell it, share it in a group or
              pass it to a service that does.
            </li>
          </ul>
        </>
      ),
    },
    {
      id: "no-bets",
      title: "No bets, no promises",
      body: (
        <>
          <p>
            <strong>
              Furlong takes no bets, holds no stakes and pays no winnings. We are neither a
              bookmaker nor a totalisator.
            </strong>{" "}
            Any bet you place is between you and a licensed operator.
          </p>
          <p>
            Tips are the opinions of the people who write them. They are not forecasts by us and not
            financial advice: see the <TextLink to="/disclaimer">disclaimer</TextLink>. Win rates
            and rankings are worked out from the tips and results recorded here. They show past
            results, not future ones.
          </p>
          <p>
            Off times, going and weather are shown as they were reported to us, with their source.
            They can change at short notice. Check with the racecourse before you rely on them.
          </p>
        </>
      ),
    },
    {
      id: "fair-use",
      title: "Fair use",
      body: (
        <>
          <p>Don't do any of these, or help others to:</p>
          <ul>
            <li>share or resell what you have opened, or scrape the site's content;</li>
            <li>
              open several accounts to collect welcome coins, or buy your own race cards through a
              friend;
            </li>
            <li>pay with a card that is not yours to use;</li>
            <li>
              try to get at what you have not paid for, or at another person's account or data;
            </li>
            <li>overload the site, or test its security without reporting what you find to us.</li>
          </ul>
          <p>
            If you do, we may pause or close the account, after giving you a chance to respond,
            unless it is urgent. If we close your account although you kept to these terms, we
            refund your unspent coins.
          </p>
        </>
      ),
    },
    {
      id: "ownership",
      title: "Content and copyright",
      body: (
        <p>
          The site, its design and its name are ours. Tips and analyses belong to their authors, who
          let us publish and sell them. You may read what you have opened for your own use. You get
          no other rights in it.
        </p>
      ),
    },
    {
      id: "liability",
      title: "Our liability",
      body: (
        <>
          <p>
            We run Furlong with reasonable care and skill and fix faults. We can't promise that it
            is always available.
          </p>
          <p>
            <strong>
              Important: this limits what you can claim from us. We are not liable for money you bet
              and lose, for a tip that turns out wrong, or for a bet you could not place. For other
              loss our liability is limited to what you paid us in the twelve months before it
              arose.
            </strong>
          </p>
          <p>
            None of this limits liability for gross negligence or intent, or any right that the
            Consumer Protection Act 68 of 2008 or another law gives you and does not let us limit.
          </p>
        </>
      ),
    },
    {
      id: "changes-and-ending",
      title: "Changes, and ending this agreement",
      body: (
        <>
          <p>
            We may change these terms. We announce a change that matters here and by email at least
            14 days before it takes effect and doesn't affect what you have already bought. If you
            don't agree, you can delete your account. You keep any rights the law gives you.
          </p>
          <p>
            You may end this agreement whenever you like by deleting your account. If we close
            Furlong, we will tell you at least 30 days in advance and refund coins you can't spend.
          </p>
        </>
      ),
    },
    {
      id: "law-and-complaints",
      title: "Law and complaints",
      body: (
        <>
          <p>
            South African law applies, and South African courts decide. Please email {contactLink}{" "}
            first. Tell us what went wrong, when, and how you would like us to fix it. The{" "}
            <TextLink to="/contact">contact page</TextLink> says how quickly we answer.
          </p>
          <p>
            If we cannot agree, you may complain to the National Consumer Commission (
            <a className="link" href="https://thencc.org.za" rel="noreferrer">
              thencc.org.za
            </a>
            ), which can refer a matter to the National Consumer Tribunal, or go to any court with
            jurisdiction, the Small Claims Court among them. If any part of these terms is invalid,
            the rest still applies.
          </p>
        </>
      ),
    },
  ];
}
