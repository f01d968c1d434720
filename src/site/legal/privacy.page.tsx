import { publicMeta } from "#platform/public-meta.ts";
import { TextLink } from "#ui/text-link.tsx";
import { type Information, useInformation } from "../layout/use-information.ts";
import type { Route } from "./+types/privacy.page.ts";
import { formatUrl } from "./address-text.ts";
import { LegalDocument, type LegalSection } from "./legal-document.ui.tsx";

export function meta({ matches }: Route.MetaArgs) {
  return publicMeta(matches, {
    title: "Privacy policy",
    description:
      "What personal information Furlong keeps, why, for how long, who sees it, and your rights under POPIA.",
    path: "/privacy",
  });
}

export default function Privacy() {
  return (
    <LegalDocument
      title="Privacy policy"
      lead="What personal information we hold about you, why, and for how long, as the Protection of Personal Information Act (POPIA) requires."
      inForceFrom="2026-11-20"
      summary={
        <>
          <p>
            We keep what we need for your account, purchases and opened race cards. We don't see
            your card number, sell your data, advertise or send newsletters.
          </p>
          <p>
            Records of money are kept for 7 years. Usage data is anonymised after 2 years at the
            latest. We delete the rest when you delete your account.
          </p>
        </>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ company, supportEmail, provider }: Information): LegalSection[] {
  const contactLink = (
    <a className="link" href={`mailto:${supportEmail}`}>
      {supportEmail}
    </a>
  );
  return [
    {
      id: "responsible-party",
      title: "Who is responsible",
      body: (
        <>
          <p>
            The responsible party is <strong>{company.name}</strong>
            {company.registration ? ` (registration ${company.registration})` : ""}
            {company.address ? `, ${company.address}` : ""}.
          </p>
          <p>
            Our <strong>information officer</strong> is the head of the company. Email {contactLink}{" "}
            with "Information officer" in the subject line
            {company.address ? ", or to the address above" : ""}.
          </p>
        </>
      ),
    },
    {
      id: "what-we-keep",
      title: "What we keep, and why",
      body: (
        <>
          <dl>
            <dt>Your account</dt>
            <dd>
              Name, email address, when it was confirmed, your password in scrambled form (a one-way
              argon2id hash that can't be reversed), and when you said that you are 18 or older and
              agreed to the terms. We can't give you an account without these.
            </dd>
            <dt>Purchases</dt>
            <dd>
              Pack, coins, amount, date, the payment provider's references, and a fingerprint of the
              payment card: a code that lets the provider recognise a card without telling us its
              number. With welcome coins, also a one-way hash of the card's brand, its last four
              digits and the name on it. We need these to add and refund coins, to keep accounts as
              the law requires, and to give welcome coins only once.
            </dd>
            <dt>Coins and race cards</dt>
            <dd>
              Every change to your coins, and which race cards you opened and when. We need this to
              give you what you paid for and to pay tipsters. Tipsters see that a race card was
              sold, not who bought it.
            </dd>
            <dt>Usage data</dt>
            <dd>
              When you logged in, which emails we sent you, failed login counts, and the addresses
              of pages that failed. We need this to keep accounts safe and the site working. We
              don't store your network address or browser; to limit attempts, our servers keep
              network addresses in memory for a short time.
            </dd>
            <dt>Guests who buy</dt>
            <dd>
              What you enter in the form, until the payment succeeds, fails or expires. If you don't
              pay, we don't create an account and we delete the details.
            </dd>
            <dt>Tipsters, analysts and applicants</dt>
            <dd>
              In addition: what the application says (phone number, experience, favourite tracks),
              the public profile, tips and results, earnings and payouts, and bank details, which
              are stored encrypted. We remove hidden data, such as location, from photos.
            </dd>
            <dt>What you write to us</dt>
            <dd>
              The contact form opens your own email app; nothing goes through our server. We keep
              your email for as long as we need it to deal with your question.
            </dd>
          </dl>
          <p>
            We don't ask for your ID number, race, religion or health, keep no record of bets, and
            use no trackers or advertising networks. The site is not for anyone under 18. If we find
            that information belongs to a child, we delete it.
          </p>
        </>
      ),
    },
    {
      id: "grounds",
      title: "Our legal grounds",
      body: (
        <ul>
          <li>
            <strong>Our agreement with you</strong>: account, purchases, race cards, payouts and the
            emails about them. The email with the results of your race cards has a link that stops
            it.
          </li>
          <li>
            <strong>Our interest in records that can be believed</strong>: tipsters and analysts get
            the day's fingerprint of the public log by email. Everyone else gets it if they ask.
            Every such email has a link that stops them.
          </li>
          <li>
            <strong>The law</strong>: tax and company records, replies to courts and authorities
            entitled to ask.
          </li>
          <li>
            <strong>Legitimate interest</strong>: preventing fraud and security breaches, and
            keeping the public record of tips accurate.
          </li>
          <li>
            <strong>Consent</strong>: a profile photo, for example. You may withdraw it at any time,
            for the future.
          </li>
        </ul>
      ),
    },
    {
      id: "who-sees-it",
      title: "Who we share it with",
      body: (
        <>
          <p>We do not sell or rent personal information. We share it only with:</p>
          <ul>
            <li>
              <strong>{provider.name}</strong>, which takes payments. You give your card details to{" "}
              {provider.name}; we give it the pack, the amount, your email address and a reference.
              Its own privacy policy applies:{" "}
              <a className="link" href={provider.privacyUrl} rel="noreferrer">
                {formatUrl(provider.privacyUrl)}
              </a>
              .
            </li>
            <li>
              <strong>The companies that host this site and deliver our emails</strong>, under
              contracts that require confidentiality and safeguards like ours.
            </li>
            <li>
              <strong>Banks</strong>, for payouts to tipsters. Where we pay by transfer, Paystack
              passes on bank details and the number of an identity document, with which the bank
              checks that the account is the tipster's. We don't keep that number.
            </li>
            <li>
              <strong>Authorities and courts</strong>, where the law requires it.
            </li>
          </ul>
          <p>
            What tipsters publish is public: display name, photo, profile, tips, results and record.
            Buyers are never shown to other users.
          </p>
          <p>
            Some of these companies work outside South Africa; {provider.name} may be one of them.
            We use only those that are bound by law or contract to protect information to a standard
            like POPIA's, as section 72 requires.
          </p>
        </>
      ),
    },
    {
      id: "how-long",
      title: "How long we keep it",
      body: (
        <ul>
          <li>
            <strong>Transaction records: 7 years.</strong> Purchases, refunds, changes to coin
            balances, sales, earnings and payouts. When you delete your account we remove your name
            and email address from them. If you have had welcome coins, we keep the email address
            and the fingerprint and hash of the payment card for as long, so that they are given
            only once.
          </li>
          <li>
            <strong>Usage data: anonymised after 2 years</strong> at the latest. Login sessions and
            used email links are deleted sooner, when they expire. The same applies to payments that
            were started but not completed.
          </li>
          <li>
            <strong>Applications that were declined: 2 years</strong>, then deleted. An open
            application is deleted with the applicant's account.
          </li>
          <li>
            <strong>Your account: until you delete it.</strong> Then your name, email address,
            password and sessions are deleted immediately, and so is your address on emails we sent
            you. Tipsters and analysts should contact us first, because there may be earnings to
            pay.
          </li>
          <li>
            <strong>Published tips: indefinitely</strong>, under the display name, so that records
            stay complete.
          </li>
        </ul>
      ),
    },
    {
      id: "safeguards",
      title: "How it is protected",
      body: (
        <>
          <p>
            Connections are encrypted. Passwords are hashed, bank details encrypted, and links in
            emails stored only as hashes. Your browser holds one login cookie that scripts cannot
            read. If you are logged in, it also keeps copies of up to 25 pages with race cards you
            have opened, to read offline; logging out deletes them. Admin access is limited to those
            who need it, and what they change is logged. No system is completely secure. Use a
            password that you don't use anywhere else.
          </p>
          <p>
            If someone gains unauthorised access to your information, we tell you and the
            Information Regulator as soon as reasonably possible, with what happened and what you
            can do.
          </p>
        </>
      ),
    },
    {
      id: "your-rights",
      title: "Your rights",
      body: (
        <>
          <p>You may:</p>
          <ul>
            <li>ask whether we hold information about you, and get a copy of it;</li>
            <li>have it corrected, completed or deleted;</li>
            <li>object to our using it, where we rely on a legitimate interest;</li>
            <li>withdraw a consent;</li>
            <li>object to direct marketing (we don't send any without your consent);</li>
            <li>
              ask a person to review an automated decision about you. There is one: we recognise by
              email address and payment card who has already had welcome coins.
            </li>
          </ul>
          <p>
            You can do most of this yourself: your profile changes your name, email address and
            password, <strong>downloads your data</strong>, and{" "}
            <strong>deletes your account</strong>. Deleting can't be undone. We refund the coins you
            bought and didn't spend. You can no longer read the race cards you have opened. For
            anything else email {contactLink}. We answer within 30 days, free of charge unless the
            law allows a fee and we have told you beforehand.
          </p>
        </>
      ),
    },
    {
      id: "complaints",
      title: "Complaints",
      body: (
        <p>
          If you think we have handled your information wrongly, tell our information officer, so
          that we can put it right. You may also complain to the Information Regulator (South
          Africa):{" "}
          <a className="link" href="mailto:POPIAComplaints@inforegulator.org.za">
            POPIAComplaints@inforegulator.org.za
          </a>
          ,{" "}
          <a className="link" href="https://inforegulator.org.za" rel="noreferrer">
            inforegulator.org.za
          </a>
          .
        </p>
      ),
    },
    {
      id: "changes",
      title: "Changes",
      body: (
        <p>
          When our practices change, we update this page and the date above. If the change affects
          you, we email you before it takes effect. Cookies have{" "}
          <TextLink to="/cookies">a page of their own</TextLink>.
        </p>
      ),
    },
  ];
}
