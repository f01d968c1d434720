import { COIN_PACKS, GUEST_DEAL } from "#domain/coin-packs.ts";
import { CARD_PRICE_COINS, formatCoins, formatRand, WELCOME_COINS } from "#domain/coins.ts";
import { TextLink } from "#ui/text-link.tsx";
import { publicMeta } from "../public-meta.ts";
import { type Information, useInformation } from "../use-information.ts";
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
      lead="The agreement between you and us when you browse Furlong, open an account, buy coins or open a race card. Tipsters have terms of their own on top."
      inForceFrom="2026-11-20"
      inShort={
        <>
          <p>
            You are 18 or older. You buy coins in rand and open race cards with them, 4 coins a
            card. What you open is opinion, not a promise, and it stays open for as long as you have
            an account. We take no bets.
          </p>
          <p>
            Purchases are final, except where the law gives you a right that no terms can take away:
            section 4 says which, and how to use it.
          </p>
        </>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ company, supportEmail, appUrl }: Information): LegalSection[] {
  const write = (
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
              ? `, at ${company.address}, which is also where legal papers can be served`
              : ""}
            . You reach us at {write} and this site at {appUrl}. In these terms “we” is that company
            and “you” is whoever uses the site.
          </p>
          <p>
            By opening an account or buying coins you agree to these terms, and to the{" "}
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
            You must be <strong>18 years or older</strong>. You say so when you sign up or buy as a
            guest, and we may ask for proof if we have reason to doubt it.
          </p>
          <ul>
            <li>One account to an e-mail address. Give your own name and an address you read.</li>
            <li>
              Keep your password to yourself. What is done while signed in as you counts as done by
              you, until you tell us that somebody else has it.
            </li>
            <li>
              An account is for one person. Don't sell it, lend it, or pass on what it has opened.
            </li>
            <li>
              You can change your name, e-mail address and password, sign out everywhere, download
              your data and delete the account from your profile, at any time and without asking us.
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
            subscriptions: nothing is charged unless you press the button. Prices are in South
            African rand, are the whole price, and include VAT where VAT is due. Today's packs:
          </p>
          <ul>
            {COIN_PACKS.map((pack) => (
              <li key={pack.id}>
                {pack.title}: {formatCoins(pack.amountCoins)} for {formatRand(pack.priceCents)}
              </li>
            ))}
          </ul>
          <p>
            You pay by card on the page of our payment provider, Stripe. Your card number goes to
            Stripe and never to us. You see the pack, the coins and the price before you pay, and
            can turn back until then. Coins are yours once Stripe confirms the payment, usually
            within seconds; a payment that is not confirmed brings no coins. A receipt follows by
            e-mail.
          </p>
          <p>
            <strong>Coins never expire.</strong> They buy race cards here and nothing else: they are
            not money, earn no interest, cannot be moved to another account and are not exchanged
            back into rand, except as section 4 says. Coins still in an account that you delete are
            forfeited; we tell you how many before you confirm.
          </p>
          <p>
            Prices may change for purchases to come. Coins you hold keep what they buy: while we run
            Furlong, a race card costs {formatCoins(CARD_PRICE_COINS)}, or we give notice in advance
            under section 10.
          </p>
          <h3>The guest deal</h3>
          <p>
            Someone without an account can open the locked card in front of them for{" "}
            {formatRand(GUEST_DEAL.priceCents)}. The payment creates the account and adds{" "}
            {formatCoins(GUEST_DEAL.amountCoins)}; {formatCoins(WELCOME_COINS)} more, the welcome
            coins, pay for the card. Welcome coins are given{" "}
            <strong>once to an e-mail address and once to a payment card</strong>. When either has
            had them, or the card cannot be recognised, the card is opened with the coins you bought
            and no welcome coins are added. If the card's race day is over by the time the payment
            arrives, you simply hold the coins.
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
            <strong>All purchases are final and non-refundable</strong>, save where the law gives
            you a right that no terms can take away. A tip that loses is no such right: it was
            opinion before the race and is so after it. The rights that matter most here:
          </p>
          <ul>
            <li>
              <strong>Cooling-off.</strong> Where section 44 of the Electronic Communications and
              Transactions Act 25 of 2002 applies to a purchase, a consumer may cancel it within
              seven days, without reason and without penalty, as far as nothing of it has been used.
              To do so, write to {write} within that time. What the Act has us pay back is paid to
              the card you paid with, within 30 days of your cancelling, and the coins it paid for
              leave your wallet.
            </li>
            <li>
              <strong>What has been used.</strong> A card is delivered whole the moment you open it,
              at your request. By opening it you agree that the service begins at once: for the
              coins spent on it there is no cooling-off.
            </li>
            <li>
              <strong>What you paid for and did not get.</strong> The Consumer Protection Act 68 of
              2008 entitles you to services of the quality you may expect, and to be charged no more
              than was agreed. If you were charged twice, charged for coins that never came, or
              could not open what you paid for, we put it right as that Act says.
            </li>
            <li>
              <strong>Abandoned meetings.</strong> When every tip of a card you opened is declared
              void (non-runners, abandoned races), its {formatCoins(CARD_PRICE_COINS)} go back to
              your wallet by themselves. A single void race in a card that otherwise ran does not
              reduce its price.
            </li>
          </ul>
          <h3>What a refund or dispute does to your coins</h3>
          <p>
            A refund, for whatever reason, takes back the coins it paid for, as far as they are
            still in your wallet. If some have been spent already, what is missing is owed: no new
            card opens until a purchase has made it good, and we say so at the checkout. Cards you
            have opened stay open.
          </p>
          <p>
            If you dispute a payment with your bank, opening new cards pauses until the bank
            decides. If it decides for you, the coins are taken back as in a refund; if not,
            everything goes on as before. Writing to us first is usually quicker.
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
            A race card is everything one tipster has published for one track on one day: one tip or
            twelve. Opening it costs {formatCoins(CARD_PRICE_COINS)}, once, and shows every
            selection with its type, the tipster's confidence and the analysis.
          </p>
          <ul>
            <li>
              Tips the tipster adds to a card later are open to you at no further charge. The price
              you paid buys what is in the card when you open it; whether more comes is up to the
              tipster.
            </li>
            <li>
              Open is for ever. A card you opened stays in your account, even if it is taken off
              sale or its tipster leaves, until you delete the account.
            </li>
            <li>
              A card leaves sale at its last known off, or at 18:00 on its day when no time is
              known. If some of its races have been run, we say how many and ask before you pay.
            </li>
            <li>
              From midnight after the race day the selections, their results and when they were
              published are public for everybody, losers like winners. The analysis stays with those
              who paid for it.
            </li>
            <li>
              What you open is for your own use. Don't publish it, sell it, post it to a group or
              feed it to a service that does.
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
            Whether and where you bet is between you and a licensed operator.
          </p>
          <p>
            Tips are the opinions of the people who write them. They are no forecast we vouch for
            and no financial advice; see the <TextLink to="/disclaimer">disclaimer</TextLink>. Win
            rates and rankings are worked out from the tips and results recorded here. They tell you
            what happened, not what will.
          </p>
          <p>
            Off times, going and weather are shown as they were reported to us, with their source.
            They change at the track faster than on any page: check before you rely on them.
          </p>
        </>
      ),
    },
    {
      id: "fair-use",
      title: "Fair use",
      body: (
        <>
          <p>Please don't, and don't help others to:</p>
          <ul>
            <li>share or resell what you have opened, or collect the site's content by machine;</li>
            <li>
              open several accounts to collect welcome coins, or buy your own cards through a
              friend;
            </li>
            <li>pay with a card that is not yours to use;</li>
            <li>
              try to get at what you have not paid for, or at another person's account or data;
            </li>
            <li>overload the site, or look for weaknesses in it without telling us.</li>
          </ul>
          <p>
            If you do, we may pause or close the account, after hearing you unless the matter cannot
            wait. If we close an account although you kept to these terms, we pay back what you paid
            for coins you had no chance to spend.
          </p>
        </>
      ),
    },
    {
      id: "ownership",
      title: "Whose content it is",
      body: (
        <p>
          The site, its design and its name are ours. Tips and analyses belong to their authors, who
          let us publish and sell them. You receive a personal right to read what you have opened;
          no other right passes to you.
        </p>
      ),
    },
    {
      id: "liability",
      title: "What we answer for",
      body: (
        <>
          <p>
            We provide Furlong with care and skill and mend what breaks. We cannot promise that it
            is never interrupted, and racing itself keeps nobody's timetable.
          </p>
          <p>
            <strong>
              Please note, because it limits what you can claim from us: we are not liable for money
              you bet and lose, for a tip that turns out wrong, or for a bet you could not place.
              For other loss our liability is limited to what you paid us in the twelve months
              before it arose.
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
      title: "Changes, and how this ends",
      body: (
        <>
          <p>
            We may change these terms. A change that matters is announced here and by e-mail at
            least 14 days before it takes effect and never reaches back to what you have already
            bought. If you don't agree, you can delete your account; what the law then entitles you
            to is not touched by these terms.
          </p>
          <p>
            You may end this agreement whenever you like by deleting your account. Should we close
            Furlong altogether, we tell you at least 30 days ahead and pay back what you paid for
            coins that can no longer be spent.
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
            South African law applies, and South African courts decide. Before it comes to that,
            write to {write}: what went wrong, when, and what would put it right. How quickly we
            answer is on the <TextLink to="/contact">contact page</TextLink>.
          </p>
          <p>
            If we cannot agree, you may turn to the National Consumer Commission (
            <a className="link" href="https://thencc.org.za" rel="noreferrer">
              thencc.org.za
            </a>
            ), to the National Consumer Tribunal, or to any court with jurisdiction, the Small
            Claims Court among them. If one clause of these terms turns out not to hold, the others
            stand.
          </p>
        </>
      ),
    },
  ];
}
