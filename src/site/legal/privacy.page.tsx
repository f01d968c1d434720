import { TextLink } from "#ui/text-link.tsx";
import { publicMeta } from "../public-meta.ts";
import { type Information, useInformation } from "../use-information.ts";
import type { Route } from "./+types/privacy.page.ts";
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
      lead="What we know about you, why we know it, and when we forget it. Written to be read, and to meet the Protection of Personal Information Act (POPIA)."
      inForceFrom="2026-11-20"
      inShort={
        <>
          <p>
            We keep what an account, a purchase and an opened card need, and nothing for
            advertising. We never see your card number, sell nothing, and send no newsletters.
          </p>
          <p>
            Records of money are kept for 7 years. Usage data is anonymised after 2 years at the
            latest. The rest goes when your account does.
          </p>
        </>
      }
      sections={sections(useInformation())}
    />
  );
}

function sections({ company, supportEmail }: Information): LegalSection[] {
  const write = (
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
            Our <strong>information officer</strong> is the head of the company. Write to {write}{" "}
            with “Information officer” in the subject line
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
              Name, e-mail address, when it was confirmed, your password as a one-way hash
              (argon2id: we could not read it back if we tried), and when you said that you are 18
              or older and agreed to the terms. Without these there is no account.
            </dd>
            <dt>Purchases</dt>
            <dd>
              Pack, coins, amount, date, the payment provider's references, and a fingerprint of the
              payment card: a code by which the provider recognises a card without telling us its
              number. With welcome coins, also a one-way hash of the card's brand, its last four
              digits and the name on it. We need them to credit and refund you, to keep books as the
              law requires, and to give welcome coins only once.
            </dd>
            <dt>Coins and opened cards</dt>
            <dd>
              Every movement of your coins and which cards you opened when. This is what you paid
              for, and what tipsters are paid by. A tipster sees that a card was sold, not to whom.
            </dd>
            <dt>Usage data</dt>
            <dd>
              When you signed in, from which network address and with which browser; which mails we
              sent you; counts of failed sign-ins; and, in the server's log, addresses of pages that
              failed. It keeps accounts safe and the site working.
            </dd>
            <dt>Guests who buy</dt>
            <dd>
              What you put into the form, until the payment is made, fails or expires. If it is not
              made, no account comes of it and the details are emptied out.
            </dd>
            <dt>Tipsters, analysts and applicants</dt>
            <dd>
              In addition: what the application says (phone number, experience, favourite tracks),
              the public profile, tips and results, earnings and payouts, and bank details, which
              are stored encrypted. Photos lose hidden data such as the place they were taken.
            </dd>
            <dt>What you write to us</dt>
            <dd>
              The contact form opens your own mail program; nothing goes through our server. What
              you send is kept in our mailbox for as long as the matter needs.
            </dd>
          </dl>
          <p>
            We ask for no ID number, race, religion or health, keep no record of bets, and use no
            trackers or advertising networks. The site is not for anyone under 18, and we delete
            what we learn to belong to a child.
          </p>
        </>
      ),
    },
    {
      id: "grounds",
      title: "On what grounds",
      body: (
        <ul>
          <li>
            <strong>Our agreement with you</strong>: account, purchases, cards, payouts and the
            mails about them.
          </li>
          <li>
            <strong>The law</strong>: tax and company records, answers to courts and authorities
            that may demand them.
          </li>
          <li>
            <strong>Legitimate interest</strong>: stopping fraud and break-ins, and keeping the
            public record of tips honest.
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
      title: "Who else sees it",
      body: (
        <>
          <p>We do not sell or rent personal information. It reaches only:</p>
          <ul>
            <li>
              <strong>Stripe</strong>, which takes payments. You give your card details to Stripe;
              we give it the pack, the amount, your e-mail address and a reference. For these it has
              its own policy, at{" "}
              <a className="link" href="https://stripe.com/privacy" rel="noreferrer">
                stripe.com/privacy
              </a>
              .
            </li>
            <li>
              <strong>The companies that host this site and deliver our mails</strong>, under
              contracts that bind them to secrecy and to safeguards like ours.
            </li>
            <li>
              <strong>Banks</strong>, for payouts to tipsters.
            </li>
            <li>
              <strong>Authorities and courts</strong>, where the law obliges us, and no further.
            </li>
          </ul>
          <p>
            What tipsters publish is public: display name, photo, profile, tips, results and record.
            Buyers are never shown to other users.
          </p>
          <p>
            Some of these companies work outside South Africa, Stripe among them. We use only those
            who are bound by law or contract to protect information to a standard like POPIA's, as
            its section 72 asks.
          </p>
        </>
      ),
    },
    {
      id: "how-long",
      title: "For how long",
      body: (
        <ul>
          <li>
            <strong>Transaction records: 7 years.</strong> Purchases, refunds, movements of coins,
            sales, earnings and payouts. After you delete your account they stay without your name
            and e-mail address. If you have had welcome coins, the e-mail address and the
            fingerprint and hash of the payment card that had them stay noted for as long, so that
            they are given once.
          </li>
          <li>
            <strong>Usage data: anonymised after 2 years</strong> at the latest. Sign-in sessions
            and spent e-mail links go sooner, when they have run out. Payments that were begun and
            not made are treated alike.
          </li>
          <li>
            <strong>Applications that were declined: 2 years</strong>, then emptied. One that is
            open goes with the account of whoever made it.
          </li>
          <li>
            <strong>Your account: until you delete it.</strong> Then name, e-mail address, password
            and sessions are removed at once, and so is the address on mails we have sent you.
            Tipsters and analysts write to us first: there may be earnings to settle.
          </li>
          <li>
            <strong>Published tips: without end</strong>, under the display name. A record that
            could be cleaned would be worth nothing.
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
            mails stored only as hashes. Your browser holds one sign-in cookie that scripts cannot
            read. Admin access is limited to those who need it, and what they change is logged. No
            safeguard is perfect, ours included; use a password you use nowhere else.
          </p>
          <p>
            If somebody unauthorised gets at your information, we tell you and the Information
            Regulator as soon as reasonably possible, with what happened and what you can do.
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
            <li>object to marketing, which we don't do without your consent in the first place;</li>
            <li>
              have a person look at a decision that a machine made about you. There is one kind: who
              has had welcome coins before is recognised by e-mail address and payment card.
            </li>
          </ul>
          <p>
            Most of it you can do yourself: your profile changes your name, e-mail address and
            password, <strong>downloads your data</strong>, and{" "}
            <strong>deletes your account</strong>. Deleting cannot be undone, and forfeits coins you
            have left and cards you have opened. For anything else write to {write}. We answer
            within 30 days, free of charge unless the law allows a fee and we have told you
            beforehand.
          </p>
        </>
      ),
    },
    {
      id: "complaints",
      title: "Complaints",
      body: (
        <p>
          If you think we handle your information wrongly, tell our information officer, so that we
          can mend it. You may also complain to the Information Regulator (South Africa):{" "}
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
          When what we do changes, this page changes with it, and the date above. If it matters to
          you, we say so by e-mail before it takes effect. Cookies have{" "}
          <TextLink to="/cookies">a page of their own</TextLink>.
        </p>
      ),
    },
  ];
}
